-- What bank.payee_day says of a payee's month, as one row: recurring payments are found among two years of it, and a
-- customer of many payments has tens of thousands of rows there, each of which would be read and grouped by the day.
CREATE TABLE bank.payee_month (
  account_id bigint NOT NULL,
  -- YYYY-MM.
  month      text NOT NULL,
  payee      text NOT NULL,
  -- As the last of the month was spelled.
  name       text NOT NULL,
  -- Each day with a payment, in order: which of the month, the category of the most, what came in, what went out.
  days       json NOT NULL,
  PRIMARY KEY (account_id, month, payee)
);

INSERT INTO bank.payee_month (account_id, month, payee, name, days)
SELECT account_id, left(day::text, 7) AS month, payee, (array_agg(name ORDER BY last_version DESC))[1],
       json_agg(json_build_array(extract(day FROM day), category, in_minor, out_minor) ORDER BY day)
  FROM (SELECT account_id, payee, day, (array_agg(category ORDER BY in_minor + out_minor DESC))[1] AS category,
               (array_agg(name ORDER BY last_version DESC))[1] AS name, max(last_version) AS last_version,
               sum(in_minor) AS in_minor, sum(out_minor) AS out_minor
          FROM bank.payee_day GROUP BY account_id, payee, day) paid
 GROUP BY account_id, month, payee;

GRANT SELECT, INSERT, UPDATE, DELETE ON bank.payee_month TO alder_app;
