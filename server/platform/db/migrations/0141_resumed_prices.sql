-- Prices that an operator believed: what was known before is no measure of the ones after them.
ALTER TABLE bank.price ADD COLUMN resumed boolean NOT NULL DEFAULT false;
CREATE INDEX price_resumed ON bank.price (asset, at) WHERE resumed;
