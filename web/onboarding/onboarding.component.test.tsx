import { describe, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { address, open } from '#web/test/app.tsx'
import { drag, touch } from '#web/test/pointer.ts'

const TITLES = ['Welcome to Alder', 'Bank securely', 'Smart insights', 'Instant everything'] as const

const strip = page.getByRole('group', { name: 'Slides', exact: true })
const dot = (number: number) => page.getByRole('button', { name: new RegExp(`^Slide ${number}:`) })
const slide = (number: number) => page.getByRole('group', { name: `${number} of 4` })
const heading = page.getByRole('heading', { level: 1 })
const next = page.getByRole('button', { name: 'Next', exact: true })
const getStarted = page.getByRole('link', { name: 'Get Started' })
const haveAccount = page.getByRole('link', { name: 'I Already Have an Account' })

/** How many slides have passed: 0.5 is halfway to the second. */
function moved(): number {
  const frame = strip.element().getBoundingClientRect()
  const first = strip.element().querySelector('[aria-roledescription="slide"]')
  return Math.abs((first?.getBoundingClientRect().left ?? 0) - frame.left) / frame.width
}

/** The slide is the only one that there is to a screen reader, its dot is marked, and the strip stands on it. */
async function expectSlide(number: number): Promise<void> {
  const title = TITLES[number - 1] ?? ''
  await expect.element(heading).toHaveTextContent(title)
  expect(heading.elements()).toHaveLength(1)
  await expect.element(slide(number)).toMatchTextContent(new RegExp(title))
  const marked = document.querySelector('[aria-current]')
  expect(marked?.getAttribute('aria-label')).toMatch(new RegExp(`^Slide ${number}: `))
  await expect.poll(moved).toBeCloseTo(number - 1, 1)
  await expect.element(heading).toBeInViewport({ ratio: 1 })
}

async function begin(): Promise<void> {
  await open('/')
  await expectSlide(1)
}

test('names what it offers, and any slide is picked by its dot', async () => {
  await begin()
  const offers = [
    /No branches/,
    /\(KYC\).*biometrics/,
    /AI-powered spending insights/,
    /Money.*cards.*FinTech partners/,
  ]
  for (const number of [3, 1, 4, 2]) {
    await dot(number).click()
    await expectSlide(number)
    await expect.element(slide(number)).toMatchTextContent(offers[number - 1] ?? '')
  }
  expect(address()).toBe('/')
})

test('keys go from slide to slide wherever the focus is', async () => {
  await begin()
  for (const [keys, number] of [
    ['{ArrowRight}', 2],
    ['{ArrowLeft}', 1],
    ['{ArrowLeft}', 1],
    ['{End}', 4],
    ['{ArrowRight}', 4],
    ['{ArrowLeft}', 3],
    ['{Home}', 1],
    // With these the keys are the browser's own.
    ['{Control>}{End}{/Control}', 1],
    ['{Shift>}{ArrowRight}{/Shift}', 1],
  ] as const) {
    await userEvent.keyboard(keys)
    await expectSlide(number)
  }
})

test('the focus stays with the way on, and every control is reached by Tab', async () => {
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
  await expect.poll(address).toBe('/signup')
})

test('a screen reader is told of a carousel, where it is in it, and what has come', async () => {
  await begin()
  const about = page.getByRole('region', { name: 'About Alder' })
  await expect.element(about).toHaveAttribute('aria-roledescription', 'carousel')
  await expect.element(slide(1)).toHaveAttribute('aria-roledescription', 'slide')
  expect(page.getByRole('group', { name: / of 4$/ }).elements()).toHaveLength(1)
  const told = about.getByRole('status')
  await expect.element(told).toMatchTextContent(/^$/)
  await next.click()
  await expect.element(told).toMatchTextContent(/^Bank securely\. Identity verification/)
  await expect.element(next).toHaveFocus()
})

test('without motion a slide is there at once', async () => {
  await begin()
  await dot(4).click()
  const places = new Set<number>()
  const look = async (): Promise<number> => {
    await new Promise(requestAnimationFrame)
    places.add(Math.round(moved() * 10))
    return moved()
  }
  await expect.poll(look, { interval: 1 }).toBeCloseTo(3, 2)
  // The strip was at its old place and is at its new one. A third place would be motion.
  expect(places.size).toBeLessThanOrEqual(2)
  const lasting = document
    .getAnimations()
    .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
    .map((animation) => ('animationName' in animation ? animation.animationName : animation.id))
  expect(lasting).toEqual([])
})

test('a finger draws the slides, which follow it', async () => {
  await begin()
  const lift = await touch(-240)
  await expect.poll(moved).toBeGreaterThan(0.2)
  expect(moved()).toBeLessThan(0.9)
  await lift()
  await expectSlide(2)
  const back = await touch(250)
  await back()
  await expectSlide(1)
  // There is nothing before the first.
  const beyond = await touch(250)
  await beyond()
  await expectSlide(1)
})

test('a mouse draws them too, and lets go of what it hardly moved', async () => {
  await begin()
  const release = await drag(-120)
  await expect.poll(moved).toBeCloseTo(120 / 390, 1)
  await release()
  await expectSlide(2)
  const hardly = await drag(-20)
  await expect.poll(moved).toBeCloseTo(1 + 20 / 390, 1)
  // Held still for a moment first: even a short flick moves on.
  await new Promise((resolve) => setTimeout(resolve, 250))
  await hardly()
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
  expect(address()).toBe('/')
  await getStarted.click()
  await expect.poll(address).toBe('/signup')
})

test('where slides go to the left, keys and finger do too', async () => {
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

test('a phone is turned without losing its slide', async () => {
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
  ] as const)('%i x %i, its controls large enough to be hit', async ([width, height]) => {
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
