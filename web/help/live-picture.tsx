import { i18n } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { findControl } from '#web/help/find-control.ts'
import type { ArticlePicture } from '#web/help/article-pictures.ts'
import { cx } from '#web/ui/cx.ts'

/** The size of the phone that frames the screen, in CSS pixels. */
const PHONE = { width: 390, height: 844 }

/** How long a screen must stay unchanged before it is measured, in milliseconds. */
const QUIET_MS = 300
/** How long a screen may take to show the article's control, in milliseconds. */
const MAX_MS = 8_000

/** The distance between the ring and the control, in pixels of the phone. It is small because rows are close to each other. */
const RING_MARGIN = { x: 8, y: 5 }

type Ring = { top: number; left: number; width: number; height: number; radius: number }

/** The visible part of the phone: its top edge and the ring around the article's control. `ring` is null without a control. */
type PictureState = { top: number; ring: Ring | null }

/** Returns a text of another screen in the current language. `english` is the English text. */
function inLanguage(english: string): string {
  const id = generateMessageId(english)
  // The English texts are part of each screen's code, which is not loaded here. In English, the result is therefore `english`
  // itself.
  return id in i18n.messages ? i18n._(id) : english
}

function ringAround(control: Element): Ring {
  const { top, left, width, height } = control.getBoundingClientRect()
  const radius = Number.parseFloat(getComputedStyle(control).borderRadius) || 10
  const start = Math.max(left - RING_MARGIN.x, 3)
  return {
    top: top - RING_MARGIN.y,
    left: start,
    width: Math.min(left + width + RING_MARGIN.x, PHONE.width - 3) - start,
    height: height + 2 * RING_MARGIN.y,
    radius: Math.min(radius, height / 2) + RING_MARGIN.y,
  }
}

/**
 * Scrolls the frame to the control, and returns the visible part of the frame and the ring. The visible part is `visibleHeight`
 * pixels high, with the control in its middle if possible.
 */
function measure(view: Window, control: Element | null, visibleHeight: number): PictureState {
  if (!control) return { top: 0, ring: null }
  const { top, height } = control.getBoundingClientRect()
  view.scrollBy({ top: top + height / 2 - PHONE.height / 2, behavior: 'instant' })
  const ring = ringAround(control)
  const middle = ring.top + ring.height / 2
  return { top: Math.max(0, Math.min(middle - visibleHeight / 2, PHONE.height - visibleHeight)), ring }
}

const isDrawn = ({ body }: Document): boolean =>
  body.querySelector('[data-screen] h1') !== null && body.querySelector('.animate-shimmer, #root[inert]') === null

/**
 * Measures the screen in the frame after each change. Returns null until the screen appears. Returns `'gone'` if it fails to
 * load or redirects to another screen.
 */
function useShown(
  frame: RefObject<HTMLIFrameElement | null>,
  { path, control }: ArticlePicture,
  visibleHeight: number,
) {
  const [loads, setLoads] = useState(0)
  const [state, setShown] = useState<PictureState | 'gone' | null>(null)
  useEffect(() => {
    const view = frame.current?.contentWindow
    const page = frame.current?.contentDocument
    if (loads === 0 || visibleHeight === 0 || !view || !page) return undefined
    let quiet: ReturnType<typeof setTimeout> | undefined
    let isLate = false
    const update = (): void => {
      if (view.location.pathname !== path) return setShown('gone')
      const element = control === null ? null : findControl(page.body, inLanguage(control))
      if (isDrawn(page) && (element || control === null || isLate)) setShown(measure(view, element, visibleHeight))
      else if (isLate) setShown('gone')
    }
    const scheduleUpdate = (): void => {
      clearTimeout(quiet)
      quiet = setTimeout(update, QUIET_MS)
    }
    const lateTimer = setTimeout(() => {
      isLate = true
      update()
    }, MAX_MS)
    const watch = new MutationObserver(scheduleUpdate)
    watch.observe(page.body, { subtree: true, childList: true, characterData: true, attributes: true })
    const size = new ResizeObserver(scheduleUpdate)
    size.observe(page.body)
    view.addEventListener('scroll', scheduleUpdate)
    scheduleUpdate()
    return () => {
      clearTimeout(quiet)
      clearTimeout(lateTimer)
      watch.disconnect()
      size.disconnect()
      view.removeEventListener('scroll', scheduleUpdate)
    }
  }, [frame, path, control, visibleHeight, loads])
  function onLoad(): void {
    // After a failed load, the browser shows its own error page. Scripts cannot read its document.
    if (frame.current?.contentDocument) setLoads((count) => count + 1)
    else setShown('gone')
  }
  return { shown: state, onLoad }
}

/** Returns the current size of a box. */
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
  picture: ArticlePicture
  /** The name of the screen in the picture. */
  screenName: string
}

/**
 * Shows the screen of an article in a frame, as it is for this customer now (docs/decisions/0422). The picture accepts no input
 * and changes nothing (web/lib/embedded-preview.ts).
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
              comment: '{screenName} is the name of a screen, {control} the name of a control on it',
            })
          : t({ message: `Picture of ${screenName}`, comment: '{screenName} is the name of a screen' })}
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
          {/* A sandbox would give no protection here, because the frame needs scripts and has the same origin. */}
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
        {/* Covers the frame until the screen appears. */}
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
    // The ring has light lines on both sides, so that it is also visible on a dark card.
    <span
      data-ring
      className="absolute border-4 border-orange shadow-[0_0_0_2px_var(--color-surface),inset_0_0_0_1px_var(--color-surface)]"
      style={{ ...place, borderRadius: radius }}
    />
  )
}
