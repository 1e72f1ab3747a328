import { describe, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { readAddress, open } from '#web/test/app.tsx'
import { drag, touch } from '#web/test/pointer.ts'

const TITLES = ['Welcome to Alder', 'Bank securely', 'Smart insights', 'Instant everything'] as const

const strip = page.getByRole('group', { name: 'Slides', exact: true })
const dot = (number: number) => page.getByRole('button', { name: new RegExp(`^Slide ${number}:`) })
const slide = (number: number) => page.getByRole('group', { name: `${number} of 4` })
const heading = page.getByRole('heading', { level: 1 })
const next = page.getByRole('button', { name: 'Next', exact: true })
const getStarted = page.getByRole('link', { name: 'Get Started' })
const haveAccount = page.getByRole('link', { name: 'I Already Have an Account' })

/** Returns the scroll position in slides: 0.5 is halfway to the second slide. */
function readScrollPosition(): number {
  const frame = strip.element().getBoundingClientRect()
  const first = strip.element().querySelector('[aria-roledescription="slide"]')
  return Math.abs((first?.getBoundingClientRect().left ?? 0) - frame.left) / frame.width
}

/** Checks that only this slide is exposed to screen readers, that its dot is marked, and that the strip has stopped at it. */
async function expectSlide(number: number): Promise<void> {
  const title = TITLES[number - 1] ?? ''
  await expect.element(heading).toHaveTextContent(title)
  expect(heading.elements()).toHaveLength(1)
  await expect.element(slide(number)).toMatchTextContent(new RegExp(title))
  const markedDot = document.querySelector('[aria-current]')
  expect(markedDot?.getAttribute('aria-label')).toMatch(new RegExp(`^Slide ${number}: `))
  await expect.poll(readScrollPosition).toBeCloseTo(number - 1, 1)
  await expect.element(heading).toBeInViewport({ ratio: 1 })
}

async function begin(): Promise<void> {
  await open('/')
  await expectSlide(1)
}

test('the slides name the features, and each can be picked by its dot', async () => {
  await begin()
  const offers = [
    /No branches/,
    /\(KYC\).*biometrics/,
    /AI-powered spending insights/,
    /Move money.*cards.*FinTech partners/,
  ]
  for (const number of [3, 1, 4, 2]) {
    await dot(number).click()
    await expectSlide(number)
    await expect.element(slide(number)).toMatchTextContent(offers[number - 1] ?? '')
  }
  expect(readAddress()).toBe('/')
})

test('keys move between the slides from any focus', async () => {
  await begin()
  for (const [keys, number] of [
    ['{ArrowRight}', 2],
    ['{ArrowLeft}', 1],
    ['{ArrowLeft}', 1],
    ['{End}', 4],
    ['{ArrowRight}', 4],
    ['{ArrowLeft}', 3],
    ['{Home}', 1],
    // With these modifiers, the keys belong to the browser.
    ['{Control>}{End}{/Control}', 1],
    ['{Shift>}{ArrowRight}{/Shift}', 1],
  ] as const) {
    await userEvent.keyboard(keys)
    await expectSlide(number)
  }
})

test('the focus stays on the Next button, and Tab reaches every control', async () => {
  await begin()
  await userEvent.tab()
  await expect.element(strip).toHaveFocus()
  for (const number of [1, 2, 3, 4]) {
    await userEvent.tab()
    await expect.element(dot(number)).toHaveFocus()
  }
  await userEvent.tab()
  for (const number of [2, 3]) {
    await expect.element(next).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expectSlide(number)
  }
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(getStarted).toHaveFocus()
  await userEvent.tab()
  await expect.element(haveAccount).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(next).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(getStarted).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(readAddress).toBe('/signup')
})

test('a screen reader gets a carousel, the position in it, and the new slide', async () => {
  await begin()
  const aboutRegion = page.getByRole('region', { name: 'About Alder' })
  await expect.element(aboutRegion).toHaveAttribute('aria-roledescription', 'carousel')
  await expect.element(slide(1)).toHaveAttribute('aria-roledescription', 'slide')
  expect(page.getByRole('group', { name: / of 4$/ }).elements()).toHaveLength(1)
  const status = aboutRegion.getByRole('status')
  await expect.element(status).toMatchTextContent(/^$/)
  await next.click()
  await expect.element(status).toMatchTextContent(/^Bank securely\. Identity verification/)
  await expect.element(next).toHaveFocus()
})

test('without motion a slide appears at once', async () => {
  await begin()
  await dot(4).click()
  const places = new Set<number>()
  const measureSlide = async (): Promise<number> => {
    await new Promise(requestAnimationFrame)
    places.add(Math.round(readScrollPosition() * 10))
    return readScrollPosition()
  }
  await expect.poll(measureSlide, { interval: 1 }).toBeCloseTo(3, 2)
  // The strip has its old and its new position. A third position would be an animation.
  expect(places.size).toBeLessThanOrEqual(2)
  const lasting = document
    .getAnimations()
    .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
    .map((animation) => ('animationName' in animation ? animation.animationName : animation.id))
  expect(lasting).toEqual([])
})

test('a finger moves the slides, which follow it', async () => {
  await begin()
  const lift = await touch(-240)
  await expect.poll(readScrollPosition).toBeGreaterThan(0.2)
  expect(readScrollPosition()).toBeLessThan(0.9)
  await lift()
  await expectSlide(2)
  const back = await touch(250)
  await back()
  await expectSlide(1)
  // There is no slide before the first.
  const releaseBeyond = await touch(250)
  await releaseBeyond()
  await expectSlide(1)
})

test('a mouse moves the slides too, and a small movement has no effect', async () => {
  await begin()
  const release = await drag(-120)
  await expect.poll(readScrollPosition).toBeCloseTo(120 / 390, 1)
  await release()
  await expectSlide(2)
  const releaseShort = await drag(-20)
  await expect.poll(readScrollPosition).toBeCloseTo(1 + 20 / 390, 1)
  // The pause rules out a flick, because even a short flick changes the slide.
  await new Promise((resolve) => setTimeout(resolve, 250))
  await releaseShort()
  await expectSlide(2)
  for (let times = 0; times < 2; times += 1) {
    const back = await drag(120)
    await back()
    await expectSlide(1)
  }
})

test('a double click on Next opens no account', async () => {
  await begin()
  await dot(3).click()
  await expectSlide(3)
  await next.dblClick()
  await expectSlide(4)
  expect(readAddress()).toBe('/')
  await getStarted.click()
  await expect.poll(readAddress).toBe('/signup')
})

test('in right-to-left languages, keys and fingers are mirrored', async () => {
  await begin()
  document.documentElement.setAttribute('dir', 'rtl')
  await userEvent.keyboard('{ArrowLeft}')
  await expectSlide(2)
  await userEvent.keyboard('{ArrowRight}')
  await expectSlide(1)
  const lift = await touch(250)
  await lift()
  await expectSlide(2)
  await dot(4).click()
  await expectSlide(4)
})

test('turning a phone keeps its slide', async () => {
  await begin()
  await dot(3).click()
  await expectSlide(3)
  await page.viewport(844, 390)
  await expectSlide(3)
  await page.viewport(390, 844)
  await expectSlide(3)
})

describe('fits', () => {
  const hittable = async (control: Locator) => {
    await expect.element(control).toBeInViewport({ ratio: 1 })
    const { width, height } = control.element().getBoundingClientRect()
    expect(width).toBeGreaterThanOrEqual(44)
    expect(height).toBeGreaterThanOrEqual(44)
  }

  test.for([
    [390, 844],
    [360, 640],
    [844, 390],
    [640, 360],
    [768, 1024],
    [1280, 800],
  ] as const)('%i x %i, with controls of a sufficient size', async ([width, height]) => {
    await page.viewport(width, height)
    await begin()
    for (const number of [1, 2, 3, 4]) {
      await dot(number).click()
      await expectSlide(number)
      const text = [...slide(number).element().querySelectorAll('p')].at(-1)
      await expect.element(text ?? null).toBeInViewport({ ratio: 1 })
    }
    for (const control of [dot(1), dot(4), getStarted, haveAccount]) await hittable(control)
    const { scrollWidth, scrollHeight } = document.documentElement
    expect([scrollWidth, scrollHeight]).toEqual([width, height])
  })
})
