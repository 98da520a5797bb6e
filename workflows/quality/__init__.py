"""Who is believed: admission, standings, trust, page scores and pace."""
