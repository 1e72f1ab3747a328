-- How a virtual card looks, as its holder chose (contract/card-terms.ts); the main card looks as the bank does.
ALTER TABLE bank.card ADD COLUMN colour text CHECK (colour IN ('plum', 'copper', 'sky', 'moss', 'rose', 'slate'));
ALTER TABLE bank.card ADD COLUMN design text CHECK (design IN ('rings', 'leaves', 'river', 'grain'));
-- What those looked like that were made before there was a choice.
UPDATE bank.card SET colour = CASE kind WHEN 'single_use' THEN 'copper' ELSE 'plum' END, design = 'rings' WHERE kind <> 'main';
ALTER TABLE bank.card ADD CONSTRAINT card_look CHECK (
  (kind = 'main') = (colour IS NULL) AND (kind = 'main') = (design IS NULL)
);
