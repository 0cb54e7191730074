"""A look at what players see, on the page in headless Chromium: `make look`."""
