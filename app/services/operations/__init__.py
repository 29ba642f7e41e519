"""Operations: health, alerts, maintenance, access, the public ledger."""
