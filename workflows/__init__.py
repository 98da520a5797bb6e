"""Who is asked what next, who is believed, and who is paid: one package a concept."""
