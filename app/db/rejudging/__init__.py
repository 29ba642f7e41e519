"""SQL about rejudgings and what they flip."""
