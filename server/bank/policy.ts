import { HOUR_MS } from '#server/platform/durations.ts'
import type { Priced } from '#contract/markets.ts'
import type { Config } from '#server/bank/config.ts'

/** All that differs between the two modes of the bank. Services read these; none asks for the mode. */
export type Policy = {
  /** For a screen to say which bank this is. It decides nothing. */
  mode: Config['mode']
  /** Whether a visitor without a session is given a sample customer of their own. */
  visitorsGetSampleCustomer: boolean
  /** Whether the mails the bank writes can be read in the app, for want of an inbox. */
  mailboxPage: boolean
  /** Whether there is a panel that plays the world around the bank: its date, a shop, an employer. */
  controlPanel: boolean
  /** Whether signing in with an unknown email opens a new customer with that password. */
  unknownEmailOpensCustomer: boolean
  /** Whether a new customer brings eight months of the sample story with them; else they begin with nothing. */
  newCustomersBringAStory: boolean
  /** Whether an email or phone that no other customer has counts as confirmed without proof. */
  contactsConfirmThemselves: boolean
  /** Whether biometrics sign in on a device without a passkey: as its last customer, or as a visitor. */
  biometricWithoutPasskey: boolean
  /** What a password must be at least. */
  password: { minLength: number; commonRefused: boolean }
  /** A session that is not used ends after this long, in milliseconds; null where it does not. */
  idleMs: number | null
  /** Whether risky acts ask every customer for a fresh proof, or only those with two-factor authentication. */
  stepUp: 'always' | 'with_two_factor'
  /**
   * Text messages in 24 hours to all customers together, so that nobody spends the bank's money on them. Verified
   * customers have a limit of their own, which others cannot use up.
   */
  textsPerDay: { verified: number; unverified: number }
  /** How identity documents are taken: with specimens to try, and approved at once, or read by a reviewer. */
  kyc: { specimens: boolean; approvedAtOnce: boolean }
  /** What may move in 24 hours of business time until identity is verified, minor units of USD; null for no limit. */
  unverifiedLimits: { outMinor: number; inMinor: number } | null
  /**
   * What anybody may move, minor units of USD: by one operation, on one day of the bank's, and how much an account may
   * come to hold by money that its holder adds (docs/decisions/0070).
   */
  limits: Record<'in' | 'out', { operationMinor: number; dayMinor: number }> & { balanceMinor: number }
  /**
   * A payment of more than this, minor units of USD, is shown for review before it is sent, whoever it goes to
   * (docs/decisions/0372).
   */
  reviewAboveMinor: number
  /** What savings goals earn a year, in hundredths of a per cent. */
  savingsRateBps: number
  /** What an order in a fund costs: so many hundredths of a per cent, and at least so much, minor units of USD. */
  investing: { feeBps: number; feeLeastMinor: number }
  /** What a card may pay at most, minor units of USD, where its holder set no lower limit; and how many virtual cards each may have. */
  cards: { paymentMinor: number; monthMinor: number; virtualMost: number }
  /**
   * What trading coins costs, in hundredths of a per cent: the spread on each side of the market's price, and the fee of what
   * is paid or brought, at least `feeLeastMinor`, minor units of USD.
   */
  crypto: { spreadBps: number; feeBps: number; feeLeastMinor: number }
  /** What collects points, and how much of it (docs/rewards.md). */
  rewards: {
    /** Payments of a customer that earn on one day of the bank's: in all, and of those to other customers. */
    paymentsPerDay: number
    sendsPerDay: number
    /** In a calendar month. */
    referralsPerMonth: number
    directDebitsPerMonth: number
    /** Minor units of USD, a month. */
    premiumMinor: number
    /** Where the codes of partners' rewards come from: made up by a sample bank; null where there are no partners. */
    partnerCodes: 'sample' | null
  }
  /** Who offsets carbon for customers: a sample bank, which pays nobody; null where nobody does. */
  carbonOffsets: 'sample' | null
  /** Whether money from outside comes in by itself, or by the rails that are configured and no other. */
  rails: 'simulated' | 'configured'
  /** Where prices come from: made up by a sample bank, or published by the feed that is configured and no other. */
  prices: 'simulated' | 'configured'
  /**
   * What a customer may hold of each asset at most, what the bank may owe all of them together, and how many US cents it may
   * have paid for funds and coins more than it was paid, minor units (docs/decisions/0100).
   */
  markets: { holdingMinor: Record<Priced, number>; exposureMinor: Record<Priced, number>; cashMinor: number }
  cardScheme: CardSchemePolicy
  /**
   * What the bank pays for customers at most, minor units of USD: who owes `customerMinor` pays nothing by card until it is
   * paid back, and a shop that cost `shopMinor` in `shopDays` is paid nothing by anybody.
   */
  losses: { customerMinor: number; shopMinor: number; shopDays: number }
  /**
   * For how many days a card payment may be disputed, and how much a customer is credited with at once while that is looked
   * into, minor units of USD: whoever would run away with it.
   */
  disputes: { days: number; creditedMostMinor: number }
  /**
   * How many sample customers an address may open in an hour, this computer's own excepted, and how many a bank holds;
   * null in a bank that has none.
   */
  visitors: { perAddressAndHour: number; inAll: number } | null
  /**
   * How many requests that leave something behind are taken, real time (docs/decisions/0270): of one customer or reviewer in
   * a minute, an hour and a day; in a day from one address, this computer's own excepted, and of all together. Null for no
   * limit.
   */
  operations: {
    customer: OperationLimits
    reviewer: OperationLimits
    addressDay: number | null
    allDay: number | null
  }
  /**
   * How much room pictures take that customers have the bank keep, as they are kept: those of one customer's receipts in all,
   * in bytes; what comes in a day from one address, this computer's own excepted, and from all together, in kilobytes. Null
   * for no limit.
   */
  pictures: { receiptsBytes: number; addressDay: number | null; allDay: number | null }
  /**
   * How much room the transfers of one period of the ledger take at least before it ends with a calendar month, in bytes and
   * without their indexes: 50 million transfers or so (docs/decisions/0471).
   */
  periodBytes: number
  /** The same of the notices of one period: 30 million or so (docs/decisions/0472). */
  noticePeriodBytes: number
  /** How many may sign up in an hour from all addresses together; null where `visitors` limits them. */
  newCustomersPerHour: number | null
  /** The language of somebody who has chosen none: the bank's own, or the first of their browser's that it speaks. */
  firstLanguage: 'english' | 'browser'
  /** Who puts the business date forward, how often for all of them together, and up to when; null for nobody. */
  dateControl: { by: Config['sampleDate']; perHour: number; until: Date } | null
  /** What the bank's clocks show the first time a database is used, as '2026-08-28T09:41'; null where it is real time. */
  businessBegins: string | null
}

type OperationLimits = { minute: number; hour: number; day: number }

declare module '#server/platform/deps.ts' {
  interface Core {
    policy: Policy
  }
}

/** What the bank decides card payments by. */
type CardSchemePolicy = {
  /** The bank's country (ISO 3166-1 alpha-2): a payment in any other is one abroad. */
  country: string
  /** Merchant category codes (ISO 18245) that no card pays. */
  blockedMccs: readonly string[]
  /** So many wrong CVVs or expiry dates within `withinMs` keep a card from paying online for `lockMs`, real time. */
  guesses: { most: number; withinMs: number; lockMs: number }
  /** How long what was authorised is held, in days of business time. */
  heldDays: number
}

const CARD_SCHEME: CardSchemePolicy = {
  country: 'US',
  // Gambling: online, on horses and dogs, in casinos, in lotteries; then money orders and other cash in disguise.
  blockedMccs: ['7800', '7801', '7802', '7995', '9406', '6051'],
  guesses: { most: 5, withinMs: 24 * HOUR_MS, lockMs: HOUR_MS },
  heldDays: 7,
}

/** The sample day: the last Friday of the story, in the morning. */
const SAMPLE_BEGINS = '2026-08-28T09:41'
/** Ten years on. */
const SAMPLE_DATE_ENDS = '2036-08-28T09:41:00Z'

/** Generous, and such that no number of visitors fills what they share. */
const SAMPLE_LIMITS: Policy['limits'] = {
  in: { operationMinor: 1_000_000_00, dayMinor: 5_000_000_00 },
  out: { operationMinor: 1_000_000_00, dayMinor: 5_000_000_00 },
  balanceMinor: 10_000_000_00,
}

const LIVE_LIMITS: Policy['limits'] = {
  in: { operationMinor: 25_000_00, dayMinor: 50_000_00 },
  out: { operationMinor: 50_000_00, dayMinor: 100_000_00 },
  balanceMinor: 1_000_000_00,
}

const REWARDS = {
  paymentsPerDay: 10,
  sendsPerDay: 3,
  referralsPerMonth: 10,
  directDebitsPerMonth: 3,
  premiumMinor: 9_99,
}
const SAVINGS_RATE_BPS = 4_00

/** Minor units of a whole coin, and of a whole unit of a fund. */
const COIN = 1e8
const UNIT = 1e6

const SAMPLE_VISITORS = 20_000

/** A send with its proof is three requests: 40 sends in a minute, 200 in an hour, each of them tapped. */
const CUSTOMER_OPERATIONS: OperationLimits = { minute: 120, hour: 600, day: 2_000 }
const NEVER_REACHED = Number.MAX_SAFE_INTEGER
/** For what asks more often than people do: tests and measurements. */
export const UNLIMITED_OPERATIONS: Policy['operations'] = {
  customer: { minute: NEVER_REACHED, hour: NEVER_REACHED, day: NEVER_REACHED },
  reviewer: { minute: NEVER_REACHED, hour: NEVER_REACHED, day: NEVER_REACHED },
  addressDay: null,
  allDay: null,
}
/** Who reads one case after the other opens a picture every few seconds, and each is written down. */
const REVIEWER_OPERATIONS: OperationLimits = { minute: 600, hour: 6_000, day: 30_000 }

const SAMPLE_HOLDINGS: Record<Priced, number> = {
  BTC: 10 * COIN,
  ETH: 250 * COIN,
  LTC: 4_000 * COIN,
  FUND_CONSERVATIVE: 50_000 * UNIT,
  FUND_BALANCED: 50_000 * UNIT,
  FUND_AGGRESSIVE: 50_000 * UNIT,
}
/** All that a full bank's visitors may hold, so that none uses up what another may buy. */
const SAMPLE_MARKETS: Policy['markets'] = {
  holdingMinor: SAMPLE_HOLDINGS,
  exposureMinor: Object.fromEntries(
    Object.entries(SAMPLE_HOLDINGS).map(([asset, mostMinor]) => [asset, mostMinor * SAMPLE_VISITORS]),
  ) as Record<Priced, number>,
  // More than what they may hold is worth at any price of twenty years, so that no date is too far to sell.
  cashMinor: 100_000_000_00 * SAMPLE_VISITORS,
}
const LIVE_MARKETS: Policy['markets'] = {
  holdingMinor: {
    BTC: 2 * COIN,
    ETH: 40 * COIN,
    LTC: 1_000 * COIN,
    FUND_CONSERVATIVE: 20_000 * UNIT,
    FUND_BALANCED: 20_000 * UNIT,
    FUND_AGGRESSIVE: 20_000 * UNIT,
  },
  exposureMinor: {
    BTC: 100 * COIN,
    ETH: 2_000 * COIN,
    LTC: 50_000 * COIN,
    FUND_CONSERVATIVE: 1_000_000 * UNIT,
    FUND_BALANCED: 1_000_000 * UNIT,
    FUND_AGGRESSIVE: 1_000_000 * UNIT,
  },
  cashMinor: 5_000_000_00,
}

/** The one place that knows the modes. */
export function policyFor({ mode, sampleDate = 'everybody' }: Pick<Config, 'mode'> & Partial<Config>): Policy {
  const sample = mode === 'sample'
  return {
    mode,
    visitorsGetSampleCustomer: sample,
    mailboxPage: sample,
    controlPanel: sample,
    unknownEmailOpensCustomer: sample,
    newCustomersBringAStory: sample,
    contactsConfirmThemselves: sample,
    biometricWithoutPasskey: sample,
    password: sample ? { minLength: 1, commonRefused: false } : { minLength: 12, commonRefused: true },
    idleMs: sample ? null : 5 * 60_000,
    stepUp: sample ? 'with_two_factor' : 'always',
    textsPerDay: { verified: 2_000, unverified: 500 },
    kyc: { specimens: sample, approvedAtOnce: sample },
    unverifiedLimits: sample ? null : { outMinor: 500_00, inMinor: 1_000_00 },
    limits: sample ? SAMPLE_LIMITS : LIVE_LIMITS,
    reviewAboveMinor: 1_000_00,
    savingsRateBps: SAVINGS_RATE_BPS,
    investing: { feeBps: 25, feeLeastMinor: 1 },
    cards: { paymentMinor: 5_000_00, monthMinor: 20_000_00, virtualMost: 20 },
    crypto: { spreadBps: 50, feeBps: 1_00, feeLeastMinor: 1 },
    rewards: { ...REWARDS, partnerCodes: sample ? 'sample' : null },
    carbonOffsets: sample ? 'sample' : null,
    rails: sample ? 'simulated' : 'configured',
    prices: sample ? 'simulated' : 'configured',
    markets: sample ? SAMPLE_MARKETS : LIVE_MARKETS,
    cardScheme: CARD_SCHEME,
    // Visitors share the invented shops, and no money is lost: one visitor must not close a shop to all others.
    losses: { customerMinor: 50_00, shopMinor: sample ? 10_000_000_00 : 1_000_00, shopDays: 30 },
    disputes: { days: 120, creditedMostMinor: sample ? 10_000_00 : 1_000_00 },
    // A sample customer takes some 200 kB: 4 GB in all.
    visitors: sample ? { perAddressAndHour: 30, inAll: SAMPLE_VISITORS } : null,
    operations: {
      customer: CUSTOMER_OPERATIONS,
      reviewer: REVIEWER_OPERATIONS,
      // A send takes 1.4 kB: 28 MB a day of an address, 2.8 GB of all. A school behind one address is a few thousand.
      addressDay: sample ? 20_000 : null,
      allDay: sample ? 2_000_000 : null,
    },
    // A picture of a receipt takes one or two megabytes, and up to 24.
    pictures: { receiptsBytes: 300_000_000, addressDay: sample ? 60_000 : null, allDay: sample ? 2_000_000 : null },
    periodBytes: 12_884_901_888,
    noticePeriodBytes: 8_589_934_592,
    // Far more people than open an account in any hour, each of whom is mailed.
    newCustomersPerHour: sample ? null : 3_000,
    firstLanguage: sample ? 'english' : 'browser',
    dateControl: sample ? { by: sampleDate, perHour: 60, until: new Date(SAMPLE_DATE_ENDS) } : null,
    businessBegins: sample ? SAMPLE_BEGINS : null,
  }
}
