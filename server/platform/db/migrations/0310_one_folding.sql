-- Searches compare folded texts: 'uvery' finds 'Úvěry'. contract/folding.ts does the same.
CREATE FUNCTION ledger.folded(line text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    -- Most texts are ASCII.
    WHEN octet_length(line) = char_length(line) AND position('  ' IN line) + position(E'\t' IN line) = 0 THEN lower(line)
    ELSE regexp_replace(
      replace(replace(replace(replace(
        translate(
          normalize(
            regexp_replace(
              lower(normalize(line, NFKD)),
              '[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED]',
              '', 'g'),
            NFC),
          'øđðłıħςٱىةیک', 'oddlihσايهيك'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      '[^\S\n]+', ' ', 'g')
  END
$$;

-- A card's last four digits are no word: two digits that they have in them would find all that the card paid for.
CREATE OR REPLACE FUNCTION ledger.search_words(name text, params jsonb, note text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ledger.folded(
    coalesce(name || E'\n', '') || coalesce(note || E'\n', '') || coalesce(ledger.values_of(params - 'lastFour'), ''))
$$;
CREATE OR REPLACE FUNCTION ledger.search_tokens(name text, label text, method text, params jsonb, amount_minor bigint) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT E'\x01' || CASE WHEN name IS NULL THEN coalesce(label, '') ELSE '' END
    || E'\x01' || coalesce(method, '')
    || E'\x02' || coalesce(lower(ledger.values_of(params)), '')
    || E'\x03' || abs(amount_minor)::text || E'\x03'
    || coalesce(E'\x04' || (params ->> 'lastFour') || E'\x04', '')
$$;
UPDATE ledger.search_block s SET words = f.words, tokens = f.tokens
  FROM (SELECT f.account_id, f.block, string_agg(f.words, E'\n' ORDER BY f.version) AS words,
               string_agg(f.tokens, '' ORDER BY f.version) AS tokens
          FROM ledger.findable f JOIN ledger.account a ON a.id = f.account_id
         WHERE f.version <= ledger.summed_up_to(a.version) AND a.holder_id IS NOT NULL
         GROUP BY f.account_id, f.block) f
 WHERE f.account_id = s.account_id AND f.block = s.block;
