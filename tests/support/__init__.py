"""What tests stand on: servers, databases, a browser, and honest words about what is missing."""
