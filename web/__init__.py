"""The pages: server-rendered, complete with JavaScript off."""
