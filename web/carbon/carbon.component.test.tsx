import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { CarbonCertificate } from '#contract/carbon.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, emitLiveEvent, refusalAnswer } from '#web/test/bank.ts'

const total = page.getByRole('region', { name: 'Your Footprint' })
const offsetRegion = page.getByRole('region', { name: 'Carbon Offset' })
const offset = offsetRegion.getByRole('button')
const sheet = page.getByRole('dialog')
const pay = sheet.getByRole('button', { name: /^Pay/ })
const month = (name: 'Previous Month' | 'Next Month') => page.getByRole('button', { name })

const CERTIFICATE: CarbonCertificate = {
  id: 'certificate',
  number: 'CO2ABCDEFGHJ',
  month: '2026-08',
  grams: 123_000,
  amountMinor: 18_45,
  asset: 'USD',
  isSample: true,
  offsetAt: '2026-08-28T09:41:00.000Z',
}

const PARTS = [
  ['Transport', '45 kg', '36%', '$210.00 spent', '214 g per dollar', 'Walk or bike short trips.'],
  ['Shopping', '32 kg', '26%', '$380.00 spent', '84 g per dollar', 'Look for secondhand first.'],
  ['Food', '28 kg', '23%', '$520.00 spent', '54 g per dollar', 'Try a few meals a week without meat.'],
  ['Energy', '18 kg', '15%', '$210.00 spent', '86 g per dollar', 'Turn the heat down by one degree.'],
] as const

test('a month has its categories with shares and tips, their sum, and the price of its offset', async () => {
  await open('/carbon-footprint')
  await expect.element(page.getByRole('heading', { name: 'Carbon Footprint', level: 1 })).toBeVisible()
  expect(document.title).toBe('Carbon Footprint · Alder')
  await expect.element(total).toMatchTextContent('123 kg CO₂')
  await expect.element(total).toMatchTextContent('August 2026')
  const parts = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) })
  await expect.poll(() => parts.elements()).toHaveLength(PARTS.length)
  for (const [index, [name, weight, share, spent, factor, tip]] of PARTS.entries()) {
    const part = parts.nth(index)
    for (const text of [name, weight, share, spent, tip]) await expect.element(part).toMatchTextContent(text)
    await expect
      .element(part.getByRole('progressbar', { name: `Share of ${name}` }))
      .toHaveAttribute('aria-valuenow', share.replace('%', ''))
    expect(
      part
        .getByRole('list', { name: `Tips for ${name}` })
        .getByRole('listitem')
        .elements(),
    ).toHaveLength(2)
    await expect.element(page.getByText(factor)).toBeVisible()
  }
  // The total in kilograms times the price of 0.15 dollars per kilogram.
  await expect.element(offset).toMatchTextContent('Offset 123 kg for $18.45')
  await expect.element(offsetRegion).toMatchTextContent('$0.15 per kilogram')
  await expect.element(total).toMatchTextContent('Estimated from what you spent')
  await expect.element(page.getByText(/The factors are Alder's own.*don't come from an official source/)).toBeVisible()
  expect(page.getByText('Your Certificates').query()).toBeNull()
})

test('each month is shown separately, and the shown month is offset', async () => {
  bank.post('/carbon/offsets', ({ json }) => ({ ...CERTIFICATE, ...json }))
  await open('/carbon-footprint')
  await expect.element(total).toMatchTextContent('August 2026')
  await expect.element(month('Next Month')).toBeDisabled()
  for (const name of ['July', 'June', 'May', 'April', 'March', 'February', 'January']) {
    await month('Previous Month').click()
    await expect.element(total).toMatchTextContent(`${name} 2026`)
  }
  await expect.element(month('Previous Month')).toBeDisabled()
  await month('Next Month').click()
  await expect.element(total).toMatchTextContent('February 2026')
  await expect.element(total).not.toHaveAttribute('aria-busy')
  const weight = /Offset ([\d.]+ kg)/.exec(offset.element().textContent)?.[1] ?? ''
  await expect.element(total).toMatchTextContent(weight)
  await pressByKey(offset)
  await expect.element(sheet).toMatchTextContent('February 2026')
  await pay.click()
  await expect.element(findToast(`${weight} of CO₂ offset`)).toBeVisible()
  expect(changeRequests()).toMatchObject([
    { path: '/carbon/offsets', json: { month: '2026-02', grams: Number.parseFloat(weight) * 1000, asset: 'USD' } },
  ])
})

test('spending after the offset of a month can be offset too', async () => {
  const recording = await bank.recorded('/carbon')
  const remainingOffset = { grams: 1_500, amountMinor: 23, asset: 'USD' as const }
  bank.get('/carbon', { ...recording, grams: 124_500, offsetGrams: 123_000, offset: remainingOffset })
  let certificates = [CERTIFICATE]
  bank.get('/carbon/certificates', () => ({ certificates, nextCursor: null }))
  bank.post('/carbon/offsets', ({ json }) => {
    const second = { ...CERTIFICATE, ...json, id: 'second', number: 'CO2SECOND123' }
    certificates = [second, CERTIFICATE]
    bank.get('/carbon', { ...recording, grams: 124_500, offsetGrams: 124_500, offset: null })
    return second
  })
  await open('/carbon-footprint')
  await expect.element(total).toMatchTextContent('124.5 kg CO₂')
  await expect.element(offsetRegion).toMatchTextContent('You offset 123 kg of CO₂.')
  await expect.element(offset).toMatchTextContent('Offset 1.5 kg for $0.23')
  const row = page.getByRole('button', { name: new RegExp(CERTIFICATE.number) })
  await expect.element(row).toMatchTextContent('123 kg, ·August 2026, ·$18.45, ·Sample')
  await pressByKey(offset)
  await sheet.getByRole('button', { name: 'Not Now' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(changeRequests()).toEqual([])
  await pressByKey(offset)
  await pay.click()
  await expect.element(findToast('Your certificate is CO2SECOND123')).toBeVisible()
  await expect.element(offsetRegion).toMatchTextContent('This month is offset')
  await expect.element(offset).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /CO2SECOND123/ })).toMatchTextContent('1.5 kg')
  await expect.element(row).toBeVisible()
  expect(changeRequests()).toMatchObject([{ json: { month: '2026-08', grams: 1_500, amountMinor: 23 } }])
})

test('a refusal is shown, also if the month was offset elsewhere meanwhile', async () => {
  bank.post('/carbon/offsets', refusalAnswer('insufficient_funds'))
  await open('/carbon-footprint')
  await pressByKey(offset)
  await pay.click()
  await expect.element(findToast("You don't have enough money for this")).toBeVisible()

  await pressByKey(offset)
  const recording = await bank.recorded('/carbon')
  bank.get('/carbon', { ...recording, offsetGrams: 123_000, offset: null })
  bank.post('/carbon/offsets', refusalAnswer('footprint_offset'))
  emitLiveEvent({ type: 'balance' })
  await expect.element(page.getByText('This month is offset')).toBeVisible()
  // The request contains the amount that the customer confirmed.
  await pay.click()
  await expect.element(findToast("There's nothing left to offset for this month")).toBeVisible()
  expect(changeRequests()[1]).toMatchObject({ json: { month: '2026-08', grams: 123_000, amountMinor: 18_45 } })
})
