-- What a card has paid in a month stays what a number of JavaScript holds exactly. A sum past that could not be read, and
-- every later message about the card failed.
UPDATE bank.card_month SET used_minor = 9007199254740991 WHERE used_minor > 9007199254740991;
ALTER TABLE bank.card_month ADD CONSTRAINT card_month_exact CHECK (used_minor <= 9007199254740991);
