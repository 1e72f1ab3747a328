import { i18n } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { controlNamed } from '#web/help/control-named.ts'
import type { Picture } from '#web/help/pictures.ts'
import { cx } from '#web/ui/cx.ts'

/** The phone that the screen is shown on, in its own points. */
const PHONE = { width: 390, height: 844 }

/** How long a screen has not changed before it is looked at. */
const QUIET_MS = 300
/** How long it has to show what the article speaks of. */
const MOST_MS = 8_000

/** How far the ring stands off what it is about, in points of the phone: rows stand close to each other. */
const OFF = { x: 8, y: 5 }

type Ring = { top: number; left: number; width: number; height: number; radius: number }

/** What is seen of the phone: from `top` on, with a ring around what the article speaks of. */
type Shown = { top: number; ring: Ring | null }

/** A text of another screen in the language in force, by what it says in English. */
function inLanguage(english: string): string {
  const id = generateMessageId(english)
  // English comes with the screen itself, which is not here.
  return id in i18n.messages ? i18n._(id) : english
}

function ringAround(control: Element): Ring {
  const { top, left, width, height } = control.getBoundingClientRect()
  const radius = Number.parseFloat(getComputedStyle(control).borderRadius) || 10
  const start = Math.max(left - OFF.x, 3)
  return {
    top: top - OFF.y,
    left: start,
    width: Math.min(left + width + OFF.x, PHONE.width - 3) - start,
    height: height + 2 * OFF.y,
    radius: Math.min(radius, height / 2) + OFF.y,
  }
}

/** What the frame shows, moved so that the control is in the middle of `seen` points. */
function look(view: Window, control: Element | null, seen: number): Shown {
  if (!control) return { top: 0, ring: null }
  const { top, height } = control.getBoundingClientRect()
  view.scrollBy({ top: top + height / 2 - PHONE.height / 2, behavior: 'instant' })
  const ring = ringAround(control)
  const middle = ring.top + ring.height / 2
  return { top: Math.max(0, Math.min(middle - seen / 2, PHONE.height - seen)), ring }
}

const isDrawn = ({ body }: Document): boolean =>
  body.querySelector('[data-screen] h1') !== null && body.querySelector('.animate-shimmer, #root[inert]') === null

/**
 * Looks at the screen in a frame whenever it has changed: null until it stands there, and `'gone'` where it does not come, or
 * is not the one that was asked for.
 */
function useShown(frame: RefObject<HTMLIFrameElement | null>, { path, control }: Picture, seen: number) {
  const [loads, setLoads] = useState(0)
  const [shown, setShown] = useState<Shown | 'gone' | null>(null)
  useEffect(() => {
    const view = frame.current?.contentWindow
    const page = frame.current?.contentDocument
    if (loads === 0 || seen === 0 || !view || !page) return undefined
    let quiet: ReturnType<typeof setTimeout> | undefined
    let isLate = false
    const update = (): void => {
      if (view.location.pathname !== path) return setShown('gone')
      const found = control === null ? null : controlNamed(page.body, inLanguage(control))
      if (isDrawn(page) && (found || control === null || isLate)) setShown(look(view, found, seen))
      else if (isLate) setShown('gone')
    }
    const changed = (): void => {
      clearTimeout(quiet)
      quiet = setTimeout(update, QUIET_MS)
    }
    const late = setTimeout(() => {
      isLate = true
      update()
    }, MOST_MS)
    const watch = new MutationObserver(changed)
    watch.observe(page.body, { subtree: true, childList: true, characterData: true, attributes: true })
    const size = new ResizeObserver(changed)
    size.observe(page.body)
    view.addEventListener('scroll', changed)
    changed()
    return () => {
      clearTimeout(quiet)
      clearTimeout(late)
      watch.disconnect()
      size.disconnect()
      view.removeEventListener('scroll', changed)
    }
  }, [frame, path, control, seen, loads])
  function onLoad(): void {
    // Where no page comes there is one of the browser's own that says so, and it is closed to us.
    if (frame.current?.contentDocument) setLoads((before) => before + 1)
    else setShown('gone')
  }
  return { shown, onLoad }
}

/** How large a box is on the screen. */
function useSize(box: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return size
}

type LivePictureProps = {
  picture: Picture
  /** What its screen is called. */
  screenName: string
}

/**
 * The screen that an article speaks of, as it is for this customer at this moment, in a frame (docs/decisions/0422). It is to
 * look at: nothing in it can be pressed, and it changes nothing (web/lib/picture.ts).
 */
export function LivePicture({ picture, screenName }: LivePictureProps) {
  const { t } = useLingui()
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const { width, height } = useSize(box)
  const scale = width / PHONE.width
  const { shown, onLoad } = useShown(frame, picture, scale === 0 ? 0 : height / scale)
  if (shown === 'gone') return null
  const control = picture.control === null ? null : inLanguage(picture.control)
  const top = shown?.top ?? 0
  return (
    <figure className="border-b border-line bg-muted px-8 print:hidden">
      <figcaption className="sr-only">
        {control !== null && shown?.ring
          ? t({
              message: `Picture of ${screenName}, with “${control}” circled`,
              comment: 'Of a screen, and of a control on it',
            })
          : t({ message: `Picture of ${screenName}`, comment: 'Of a screen' })}
      </figcaption>
      <div
        ref={box}
        aria-hidden
        dir="ltr"
        className="relative mx-auto h-80 max-w-80 overflow-hidden border-x-[5px] border-line-strong mask-y-from-92% mask-y-to-100%"
      >
        <div
          className="absolute top-0 left-0 origin-top-left"
          style={{ ...PHONE, transform: `scale(${scale}) translateY(${-top}px)` }}
        >
          {/* With its scripts and of this origin, a sandbox would hold nothing in. */}
          {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
          <iframe
            ref={frame}
            data-picture
            inert
            tabIndex={-1}
            loading="lazy"
            title={screenName}
            src={picture.path}
            onLoad={onLoad}
            className="size-full bg-canvas"
          />
          {shown?.ring && <RingAround ring={shown.ring} />}
        </div>
        {/* Until there is something to see. */}
        <div
          className={cx(
            'absolute inset-0 bg-surface transition-opacity duration-300',
            shown && 'pointer-events-none opacity-0',
          )}
        />
      </div>
    </figure>
  )
}

function RingAround({ ring: { radius, ...place } }: { ring: Ring }) {
  return (
    // Between two light lines, so that it is seen on a dark card as well.
    <span
      data-ring
      className="absolute border-4 border-orange shadow-[0_0_0_2px_var(--color-surface),inset_0_0_0_1px_var(--color-surface)]"
      style={{ ...place, borderRadius: radius }}
    />
  )
}
