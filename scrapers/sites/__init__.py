"""Sites: one file each, holding one SITE constant."""
