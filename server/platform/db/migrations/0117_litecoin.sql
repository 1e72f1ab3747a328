-- A third coin. Its smallest unit is the chain's own, a hundred-millionth.
INSERT INTO ledger.asset VALUES ('LTC', 8);
