-- Where an imported payment is from: the format of its file, and the account or the layout of it. Two files of different
-- origin may have the same payment. Null of what was imported before.
ALTER TABLE bank.imported_payment ADD COLUMN source text;
