// django-unfold writes the name of a chosen file into the nearest text field, which here is one of its own. It leaves
// fields alone that it believes to have seen already; this runs before it does.
for (const field of document.querySelectorAll("input[type=file]")) field.hasChangeListener = true;
