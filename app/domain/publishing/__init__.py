"""What holds a problem back, and what is known of a published one: bands, tags, audits."""
