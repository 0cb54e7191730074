"""The sandbox's page as people meet it in a browser."""
