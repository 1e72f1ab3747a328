// @vitest-environment happy-dom
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LoanDetails } from '#contract/loans.ts'
import { PauseLoan } from '#web/loans/sheets/pause-loan.tsx'

const LOAN = { id: 'l1', asset: 'USD', lastDueOn: '2031-08-28', lastAmountMinor: 987_86 } as LoanDetails

const optionsOf = (extraMinor: number) =>
  [1, 2, 3].map((months) => ({
    months,
    nextDueOn: `2026-1${months - 1}-28`,
    lastDueOn: `2031-1${months - 1}-28`,
    lastAmountMinor: 1_000_00 + months * 100_00,
    extraMinor: months * extraMinor,
  }))

/** The mocked bank's terms and the requests it received. It refuses a pause with outdated terms. */
let bank: { extraMinor: number; asked: unknown[]; looks: number }
let root: Root
let box: HTMLElement

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(new URL(String(input instanceof Request ? input.url : input), 'http://localhost'), init)
  if (!request.url.endsWith('/loans/l1/pause')) return json(404, {})
  if (request.method === 'GET') {
    bank.looks += 1
    return json(200, { options: optionsOf(bank.extraMinor) })
  }
  const body = JSON.parse(await request.text())
  bank.asked.push(body)
  const { months: _, ...terms } = optionsOf(bank.extraMinor)[body.months - 1] ?? { months: 0 }
  if (JSON.stringify(body.terms) === JSON.stringify(terms)) return json(200, terms)
  return json(409, { error: { code: 'loan_terms_changed', message: 'These figures have changed' } })
}

const onDone = vi.fn<() => void>()

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  bank = { extraMinor: 402_26, asked: [], looks: 0 }
  vi.stubGlobal('fetch', vi.fn(answer))
  onDone.mockReset()
  box = document.body.appendChild(document.createElement('div'))
  root = createRoot(box)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await act(async () =>
    root.render(
      <MemoryRouter>
        <I18nProvider i18n={i18n}>
          <QueryClientProvider client={client}>
            <PauseLoan loan={LOAN} today="2026-08-28" onDone={onDone} />
          </QueryClientProvider>
        </I18nProvider>
      </MemoryRouter>,
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  box.remove()
  vi.unstubAllGlobals()
})

const boxText = () => box.textContent?.replaceAll(/[⁦-⁩\u200E]/g, '') ?? ''
const confirm = () => [...box.querySelectorAll('button')].find((button) => button.textContent === 'Pause Payments')
const press = async (element: HTMLElement | null | undefined) => act(async () => element?.click())
const eventually = (check: () => void) => act(() => vi.waitFor(check, { timeout: 20_000 }))
const shows = (text: string) => eventually(() => expect(boxText()).toContain(text))

test('the preview shows the cost of a pause for each length before the confirmation', async () => {
  await shows('Extra Interest in Total$402.26')
  expect(boxText()).toContain('Last Payment$1,100.00Oct 28, 2031')
  expect(boxText()).toContain('Without the pause, the last payment would be $987.86 on Aug 28, 2031.')
  await press([...box.querySelectorAll<HTMLElement>('[role=radio], input[type=radio]')].at(2))
  await shows('Extra Interest in Total$1,206.78')
  expect(boxText()).toContain('Last Payment$1,300.00Dec 28, 2031')
  await press(confirm())
  const { months, ...terms } = optionsOf(402_26)[2] ?? { months: 0 }
  await eventually(() => expect(onDone).toHaveBeenCalled())
  expect(bank.asked).toEqual([{ months, terms }])
})

test('the preview is repeated if the figures have changed, and the shown figures are sent', async () => {
  await shows('$402.26')
  bank.extraMinor = 500_00
  await press(confirm())
  await shows('Extra Interest in Total$500.00')
  expect([bank.looks, onDone.mock.calls.length]).toEqual([2, 0])
  await eventually(() => expect(confirm()?.disabled).toBe(false))
  await press(confirm())
  await eventually(() => expect(onDone).toHaveBeenCalledTimes(1))
  expect(bank.asked).toHaveLength(2)
})
