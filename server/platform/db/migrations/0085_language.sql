-- The language a customer reads the bank in, as BCP 47 spells it: 'en', 'pt-BR'. Which ones there are is in
-- contract/languages.ts. Null until they, or a browser of theirs for them, have chosen one: it is English until then.
ALTER TABLE bank.customer
  ADD COLUMN language text CHECK (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');
GRANT UPDATE (language) ON bank.customer TO alder_app;

-- The language of a mail that is no customer's: that of whoever caused it.
ALTER TABLE bank.mail
  ADD COLUMN language text CHECK (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');
COMMENT ON COLUMN bank.mail.language IS 'Of a mail without a customer; others are in their customer''s language.';
