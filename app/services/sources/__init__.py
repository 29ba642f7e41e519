"""Sources: visits, what they bring, schedules, and the people of a site."""
