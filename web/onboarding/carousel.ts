import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDirection } from '#web/ui/direction.ts'

/** How far a slide must be dragged for the next one to come, as a part of its width. */
const ENOUGH = 0.1

type Viewport = UseEmblaCarouselType[0]
type Embla = NonNullable<UseEmblaCarouselType[1]>

type Carousel = {
  /** How many slides there are. */
  count: number
  /** The one in view, from 0. */
  slide: number
  /** Called with the slide that comes into view. */
  onSlide: (slide: number) => void
}

/** A carousel of slides: swiped, dragged with a mouse, moved with the keyboard or by `go`. */
export function useCarousel({ count, slide, onSlide }: Carousel): {
  viewport: Viewport
  go: (slide: number) => void
} {
  const direction = useDirection()
  // Kept, because other options would make the carousel begin anew.
  const [startIndex] = useState(slide)
  const [viewport, embla] = useEmblaCarousel({
    direction,
    startIndex,
    align: 'start',
    containScroll: false,
    breakpoints: { '(prefers-reduced-motion: reduce)': { duration: 0 } },
  })

  const onSelect = useEffectEvent((carousel: Embla) => onSlide(carousel.selectedScrollSnap()))
  /** A key may have been pressed before the carousel was ready, and another direction makes it begin anew. */
  const onReady = useEffectEvent((carousel: Embla) => {
    if (carousel.selectedScrollSnap() !== slide) carousel.scrollTo(slide, true)
    drift(carousel)
  })
  useEffect(() => {
    if (!embla) return
    let from = 0
    const onPointerDown = (): void => void (from = embla.selectedScrollSnap())
    const onPointerUp = (): void => settle(embla, from)
    embla.on('select', onSelect).on('pointerDown', onPointerDown).on('pointerUp', onPointerUp)
    embla.on('reInit', onReady).on('scroll', drift)
    onReady(embla)
    return () => {
      embla.off('select', onSelect).off('pointerDown', onPointerDown).off('pointerUp', onPointerUp)
      embla.off('reInit', onReady).off('scroll', drift)
    }
  }, [embla])

  function go(to: number): void {
    const target = Math.max(0, Math.min(count - 1, to))
    if (embla) embla.scrollTo(target)
    else onSlide(target)
  }
  useKeys({ count, slide, go, forward: direction === 'rtl' ? -1 : 1 })
  return { viewport, go }
}

/** A slide goes on to its neighbour once it has been dragged far enough, even if it was held still before its release. */
function settle(carousel: Embla, from: number): void {
  const last = carousel.scrollSnapList().length - 1
  const moved = carousel.scrollProgress() * last - from
  if (carousel.selectedScrollSnap() !== from || Math.abs(moved) < ENOUGH) return
  carousel.scrollTo(Math.max(0, Math.min(last, from + Math.sign(moved))))
}

/** Tells each slide how far it is from its place, -1 to 1: near and far parts of its picture move by different amounts. */
function drift(carousel: Embla): void {
  const progress = carousel.scrollProgress()
  const snaps = carousel.scrollSnapList()
  for (const [index, slide] of carousel.slideNodes().entries()) {
    const away = ((snaps[index] ?? 0) - progress) * (snaps.length - 1)
    slide.style.setProperty('--away', Math.max(-1, Math.min(1, away)).toFixed(3))
  }
}

type Keys = Pick<Carousel, 'count' | 'slide'> & { go: (slide: number) => void; forward: 1 | -1 }

/** Arrow keys, Home and End work wherever the focus is: nothing else on the screen uses them. */
function useKeys({ count, slide, go, forward }: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const target = {
      ArrowRight: slide + forward,
      ArrowLeft: slide - forward,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    go(target)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
