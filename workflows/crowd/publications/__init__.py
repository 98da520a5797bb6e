"""Publications: the places that a batch offers on a platform, from planning them to settling them."""
