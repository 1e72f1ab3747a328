import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Browser, expect, type Page } from '@playwright/test'
import type { Dashboard, Transaction } from '#contract/accounts.ts'
import type { Me } from '#contract/identity.ts'

const run = promisify(execFile)

/** What the bank itself says to the customer of this page, past the screen. */
export async function ask<T>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(`/api/v1${path}`)
  expect(answer.status(), path).toBe(200)
  return (await answer.json()) as T
}

/** What the customer can spend, in cents. */
export async function available(page: Page): Promise<number> {
  return (await ask<Dashboard>(page, '/dashboard')).account.availableMinor
}

/** The newest transactions of the customer's account. */
export async function newest(page: Page, count: number): Promise<Transaction[]> {
  return (await ask<{ transactions: Transaction[] }>(page, `/transactions?limit=${count}`)).transactions
}

/** Opens the dashboard, which makes a new visitor a sample customer, and waits until it shows a balance. */
export async function arrive(page: Page): Promise<Me['customer']> {
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$')
  return (await ask<Me>(page, '/me')).customer
}

/** Another person with a browser of their own. Closed with the browser. */
export async function someoneElse(browser: Browser): Promise<{ page: Page; customer: Me['customer'] }> {
  const page = await (await browser.newContext()).newPage()
  return { page, customer: await arrive(page) }
}

/** Toasts come with their message; an older one may still be leaving. */
export function toast(page: Page, message: string) {
  return page.locator('[data-sonner-toast]').filter({ hasText: message }).first()
}

/** Proves the books of the bank that these tests run against, or of one on `dir`: throws where anything is off. */
export async function proveBooks(dir = process.env['ALDER_E2E_DIR']): Promise<void> {
  const env = { ...process.env, DATA_DIR: dir }
  await run(process.execPath, ['scripts/alder.mjs', 'books'], { env })
}
