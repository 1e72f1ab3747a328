import { chromium } from '@playwright/test'
import { expect, test } from 'vitest'
import { WITHOUT_EXTRAS } from './browser.mjs'

const featuresIn = (text: string) => /--disable-features=(\S+)/.exec(text)?.[1]?.split(',') ?? []

test('what Playwright switches off in a browser stays off beside what we do', async () => {
  // Node is no browser, so that the launch fails, and says with which arguments it was tried.
  const failure: unknown = await chromium.launch({ executablePath: process.execPath }).catch((error: unknown) => error)
  const byPlaywright = featuresIn(String(failure))
  expect(byPlaywright).not.toEqual([])
  expect(featuresIn(WITHOUT_EXTRAS.join(' '))).toEqual(expect.arrayContaining(byPlaywright))
})
