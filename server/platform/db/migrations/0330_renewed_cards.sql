-- The last day of a card before it was renewed, YYYY-MM-DD: until then it pays with its old expiry and security code, too.
ALTER TABLE bank.card ADD COLUMN previous_expires_on date;
CREATE INDEX card_expiring ON bank.card (expires_on) WHERE status <> 'removed';
