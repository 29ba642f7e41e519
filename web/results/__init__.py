"""What the pages of models, problems, answers and comparisons share."""
