import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { joinLiveStream } from '#web/app/live-stream.ts'

/** The open streams. The browser counts each towards its limit of six connections. */
let sources: Set<FakeSource>

class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  readyState = 0
  constructor() {
    super()
    sources.add(this)
  }
  open(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  say(data: string): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  fail(readyState: number): void {
    this.readyState = readyState
    this.dispatchEvent(new Event('error'))
  }
  close(): void {
    sources.delete(this)
  }
}

type Tab = { log: string[]; leave: () => void }
let tabs: Tab[]

function openTab(): Tab {
  const log: string[] = []
  const leave = joinLiveStream({
    onOpen: (again) => log.push(again ? 'again' : 'opened'),
    onMessage: (data) => log.push(data),
    onEnd: () => log.push('ended'),
  })
  const tab = { log, leave }
  tabs.push(tab)
  return tab
}

const theSource = (): FakeSource => {
  expect(sources.size).toBe(1)
  return [...sources][0] as FakeSource
}
const waitBriefly = () => new Promise((resolve) => setTimeout(resolve, 50))

beforeEach(() => {
  sources = new Set()
  tabs = []
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('fetch', async () => Response.json({ status: 'alive' }))
})
afterEach(async () => {
  for (const { leave } of tabs) leave()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  await waitBriefly()
})

test('nine tabs share one stream, and each gets all events', async () => {
  const nine = Array.from({ length: 9 }, openTab)
  await expect.poll(() => sources.size).toBe(1)
  theSource().open()
  theSource().say('balance')
  await expect.poll(() => nine.map(({ log }) => log)).toEqual(nine.map(() => ['opened', 'balance']))
  expect(sources.size).toBe(1)
})

test('a tab that opens later catches up at once, and the others do not repeat it', async () => {
  const first = openTab()
  await expect.poll(() => sources.size).toBe(1)
  theSource().open()
  const second = openTab()
  const third = openTab()
  await expect.poll(() => [second.log, third.log]).toEqual([['opened'], ['opened']])
  await waitBriefly()
  expect(first.log).toEqual(['opened'])
})

test('tabs that join while the stream opens get each event once, from any source', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.0001)
  const nine = Array.from({ length: 9 }, openTab)
  await expect.poll(() => sources.size, { interval: 1 }).toBe(1)
  theSource().open()
  await expect.poll(() => nine.every(({ log }) => log.length > 0)).toBe(true)
  await waitBriefly()
  expect(nine.map(({ log }) => log)).toEqual(nine.map(() => ['opened']))
})

test('if the tab with the stream closes, another takes over, and all catch up', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.01)
  const [first, second, third] = [openTab(), openTab(), openTab()]
  await expect.poll(() => sources.size).toBe(1)
  const firstSource = theSource()
  firstSource.open()
  await expect.poll(() => third.log).toEqual(['opened'])
  first.leave()
  await expect.poll(() => sources.has(firstSource)).toBe(false)
  await expect.poll(() => sources.size).toBe(1)
  theSource().open()
  theSource().say('card')
  await expect.poll(() => third.log.toSorted()).toEqual(['again', 'card', 'opened'])
  await expect.poll(() => second.log.toSorted()).toEqual(['again', 'card', 'opened'])
  expect(first.log).toEqual(['opened'])
})

test('reconnected pages do not all catch up at the same moment', async () => {
  vi.spyOn(Math, 'random').mockReturnValueOnce(0.0001).mockReturnValue(0.9)
  const [first, second] = [openTab(), openTab()]
  await expect.poll(() => sources.size).toBe(1)
  const source = theSource()
  source.open()
  await expect.poll(() => second.log).toEqual(['opened'])
  source.open()
  await waitBriefly()
  expect(first.log).toEqual(['opened', 'again'])
  expect(second.log).toEqual(['opened'])
})

test('a stream that is refused is not retried', async () => {
  const tab = openTab()
  await expect.poll(() => sources.size).toBe(1)
  theSource().fail(0)
  expect(tab.log).toEqual([])
  theSource().fail(FakeSource.CLOSED)
  expect(tab.log).toEqual(['ended'])
})

test('without locks each tab has its own stream', async () => {
  vi.stubGlobal('navigator', {})
  openTab()
  openTab()
  expect(sources.size).toBe(2)
})
