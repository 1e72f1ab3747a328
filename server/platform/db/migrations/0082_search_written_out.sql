-- The functions of the search as PostgreSQL can write them out where they are called: immutable to the last part,
-- with each argument used once. Called as functions they cost more than all else that a block of entries costs.
CREATE OR REPLACE FUNCTION ledger.search_words(name text, params jsonb, note text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(coalesce(name || E'\n', '') || coalesce(note || E'\n', '') || coalesce(ledger.values_of(params), ''))
$$;
CREATE OR REPLACE FUNCTION ledger.search_tokens(name text, label text, method text, params jsonb, amount_minor bigint) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT E'\x01' || CASE WHEN name IS NULL THEN coalesce(label, '') ELSE '' END
    || E'\x01' || coalesce(method, '')
    || E'\x02' || coalesce(lower(ledger.values_of(params)), '')
    || E'\x03' || abs(amount_minor)::text || E'\x03'
$$;
UPDATE ledger.search_block s SET words = f.words
  FROM (SELECT f.account_id, f.block, string_agg(f.words, E'\n' ORDER BY f.version) AS words
          FROM ledger.findable f JOIN ledger.account a ON a.id = f.account_id
         WHERE f.version <= ledger.summed_up_to(a.version) AND a.holder_id IS NOT NULL
         GROUP BY f.account_id, f.block) f
 WHERE f.account_id = s.account_id AND f.block = s.block;
