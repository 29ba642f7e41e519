"""SQL about rejudgings and the verdicts that they change."""
