"""The suite of hostile programs that `grade --suite` judges, each with what must hold about it and the host."""
