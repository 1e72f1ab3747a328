-- Why a case was not approved: a JSON string in a reviewer's own words, or {"code": "expired"}, which is read in the customer's
-- language. The codes are in contract/review-reasons.ts. Until now they were kept as sentences, in English.
CREATE FUNCTION bank.reason_of(sentence text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(
    (SELECT jsonb_build_object('code', code) FROM (VALUES
      ('too_blurry', 'The photo is too blurred to read.'),
      ('too_blurry', 'The photo is too blurry to read.'),
      ('cut_off', 'Part of the document is cut off.'),
      ('expired', 'The document has expired.'),
      ('proof_too_old', 'The proof of address is older than three months.'),
      ('someone_else', 'The documents belong to somebody else.'),
      ('someone_else', 'The documents belong to someone else.'),
      ('not_genuine', 'The document is not genuine.'),
      ('details_changed', 'Your name or date of birth has changed.')
    ) AS known (code, said) WHERE said = sentence),
    to_jsonb(sentence)
  )
$$;

ALTER TABLE bank.kyc_case ALTER COLUMN reason TYPE jsonb USING bank.reason_of(reason);
ALTER TABLE bank.kyc_review ALTER COLUMN reason TYPE jsonb USING bank.reason_of(reason);

DROP FUNCTION bank.reason_of(text);
