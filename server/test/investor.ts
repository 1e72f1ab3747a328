import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type {
  InvestmentHistory,
  InvestmentOrder,
  InvestmentPlan,
  Investments,
  SuitabilityAnswers,
} from '#contract/investing.ts'
import type { Fund, MarketStatus, Priced } from '#contract/markets.ts'
import type { Price } from '#server/markets/prices.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { TestClock } from '#server/test/bank.ts'
import type { TestPerson } from '#server/test/people.ts'

export type TestFeed = {
  /** Publishes a price at a time, in dollars per unit. */
  publish(asset: Priced, at: string, dollars: number): void
  /** Sets the status of all markets. */
  set(status: MarketStatus): void
  clear(): void
}

/** Gives a bank only the prices that the test publishes. */
export function controlPrices(deps: Deps, clock: TestClock): TestFeed {
  const pricesByAsset = new Map<Priced, Price[]>()
  let status: MarketStatus = 'open'
  const publishedPrices = (asset: Priced) =>
    (pricesByAsset.get(asset) ?? []).filter(({ at }) => at <= clock.businessNow())
  deps.prices = {
    ...deps.prices,
    market: async (asset) => ({ asset, status, price: publishedPrices(asset).at(-1) ?? null }),
    after: async (asset, moment) => publishedPrices(asset).find(({ at }) => at > moment) ?? null,
    at: async (asset, moments) => {
      const prices = publishedPrices(asset)
      return moments.map((moment) => prices.findLast(({ at }) => at <= moment) ?? null)
    },
  }
  return {
    publish: (asset, isoTime, dollars) => {
      const price = { asset, at: new Date(isoTime), priceMicros: Math.round(dollars * 1_000_000) }
      const prices = [...(pricesByAsset.get(asset) ?? []), price]
      pricesByAsset.set(
        asset,
        prices.toSorted((first, second) => first.at.getTime() - second.at.getTime()),
      )
    },
    set: (time) => {
      status = time
    },
    clear: () => {
      pricesByAsset.clear()
      status = 'open'
    },
  }
}

const BOLD: SuitabilityAnswers = { horizon: 'over_five_years', loss: 'buy_more', reserves: 'over_six_months' }

/** Returns a person's requests about investments. */
export function investorOf({ browser }: Pick<TestPerson, 'browser'>) {
  const send = (path: string, content?: unknown, key: string = randomUUID()) =>
    browser.post(`/api/v1/investing${path}`, content, { key })
  const put = (path: string, content: unknown) =>
    browser.send('PUT', `/api/v1/investing${path}`, JSON.stringify(content))
  const read = async <Content>(path: string): Promise<Content> => {
    const answer = await browser.get(`/api/v1/investing${path}`)
    expect([answer.status, answer.status === 200 || (await answer.clone().text())]).toEqual([200, true])
    return (await answer.json()) as Content
  }
  const buying = (fund: Fund, amountMinor: number, extraFields: object = {}) => ({
    side: 'buy',
    fund,
    amountMinor,
    asset: 'USD',
    ...extraFields,
  })
  const orderIn = async (answer: Response): Promise<InvestmentOrder> => {
    expect([answer.status, answer.status === 200 || (await answer.clone().text())]).toEqual([200, true])
    return ((await answer.json()) as { order: InvestmentOrder }).order
  }
  return {
    send,
    put,
    read,
    buying,
    orderIn,
    /** Answers the suitability questions and accepts the risks. */
    prepare: async (answers: SuitabilityAnswers = BOLD) => {
      expect((await put('/suitability', answers)).status).toBe(200)
      expect((await put('/risk-notice', { version: 1 })).status).toBe(204)
    },
    buy: async (fund: Fund, amountMinor: number) => orderIn(await send('/orders', buying(fund, amountMinor))),
    sell: async (fund: Fund, unitsMinor: number | 'all') =>
      orderIn(await send('/orders', { side: 'sell', fund, unitsMinor })),
    plan: async (content: object) => {
      const answer = await send('/plans', content)
      expect([answer.status, answer.status === 200 || (await answer.clone().text())]).toEqual([200, true])
      return ((await answer.json()) as { plan: InvestmentPlan }).plan
    },
    portfolio: () => read<Investments>(''),
    history: (query = '') => read<InvestmentHistory>(`/history${query}`),
  }
}

export type Investor = ReturnType<typeof investorOf>
