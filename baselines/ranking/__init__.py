"""Systems that rank captions for images and images for captions.

The source is Hodosh, Young and Hockenmaier (2013, JAIR 47), section 3, called R here.
"""
