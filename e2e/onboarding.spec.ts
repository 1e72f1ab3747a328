import { gzipSync } from 'node:zlib'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { appStands } from './bank.ts'

const TITLES = ['Welcome to Alder', 'Bank securely', 'Smart insights', 'Instant everything'] as const

const strip = (page: Page) => page.getByRole('group', { name: 'Slides', exact: true })
const dot = (page: Page, number: number) => page.getByRole('button', { name: `Slide ${number}:` })
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })
const getStarted = (page: Page) => page.getByRole('link', { name: 'Get Started' })
const haveAccount = (page: Page) => page.getByRole('link', { name: 'I Already Have an Account' })

async function open(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: TITLES[0] })).toBeVisible()
  await appStands(page)
}

/** How many slides have passed: 0.5 is halfway to the second. */
function moved(page: Page): Promise<number> {
  return strip(page).evaluate((element) => {
    const first = element.querySelector('[aria-roledescription="slide"]')
    const frame = element.getBoundingClientRect()
    return Math.abs((first?.getBoundingClientRect().left ?? 0) - frame.left) / frame.width
  })
}

/** The slide is the only one that there is to a screen reader, its dot is marked, and the strip stands on it. */
async function expectSlide(page: Page, number: number): Promise<void> {
  const title = TITLES[number - 1] ?? ''
  await expect(page.getByRole('heading', { level: 1 })).toHaveText([title])
  await expect(page.getByRole('group', { name: `${number} of 4` })).toContainText(title)
  await expect(page.locator('[aria-current]')).toHaveAccessibleName(new RegExp(`^Slide ${number}: `))
  await expect.poll(() => moved(page)).toBeCloseTo(number - 1, 1)
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
}

// Slides that move are what these are about.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('leads through four slides to the two doors, and Back comes to the last slide again', async ({ page }) => {
  await open(page)
  for (const number of [1, 2, 3]) {
    await expectSlide(page, number)
    await expect(getStarted(page)).toHaveCount(0)
    await expect(haveAccount(page)).toHaveCount(0)
    await next(page).click()
  }
  await expectSlide(page, 4)
  await expect(next(page)).toHaveCount(0)

  await getStarted(page).click()
  await expect(page).toHaveURL('/signup')
  await page.goBack()
  await expect(page).toHaveURL('/')
  await expectSlide(page, 4)
  await haveAccount(page).click()
  await expect(page).toHaveURL('/login')
  await page.goBack()
  await page.reload()
  await expectSlide(page, 4)
})

test.describe('what it loads', () => {
  test('is no data, no form and no chart, and little of its own', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const code = async () => {
      const scripts = asked.filter((path) => path.endsWith('.js'))
      return (await Promise.all(scripts.map(async (path) => (await page.request.get(path)).text()))).join('\n')
    }
    await open(page)
    for (const number of [2, 3, 4]) {
      await next(page).click()
      await expectSlide(page, number)
    }
    await page.waitForLoadState('networkidle')
    expect(asked.filter((path) => path.startsWith('/api'))).toEqual([])
    expect(await code()).not.toMatch(/reValidateMode|recharts/)
    const own = asked.find((path) => path.includes('onboarding-screen'))
    // A carousel library of 7 kB is in it.
    const chunk = await (await page.request.get(own ?? '')).body()
    expect(gzipSync(chunk).length).toBeLessThan(15_000)

    // The very same look finds the form library where there is a form, and the data where there is some.
    await page.goto('/transfer')
    await expect(page.getByRole('button', { name: 'Sarah Johnson' })).toBeVisible()
    expect(await code()).toMatch(/reValidateMode/)
    expect(asked.filter((path) => path.startsWith('/api'))).not.toEqual([])
  })
})

test.describe('in a window', () => {
  test.use({ isMobile: false })
  test('that changes its size for a moment, the slide stays', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 400 })
    await open(page)
    await dot(page, 4).click()
    await expectSlide(page, 4)
    // To see the whole page, the browser lays it out for windows of other sizes and then for this one again.
    await page.screenshot({ fullPage: true })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await expectSlide(page, 4)
  })
})

test('is without violations, on a phone and in a window, light and dark', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page)
  for (const number of [1, 2, 3, 4]) {
    await dot(page, number).click()
    await expectSlide(page, number)
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(viewport)
      await expectAccessible(page, `slide ${number}, ${viewport.width} wide`)
    }
  }
})
