import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'
import { useEffect, useEffectEvent } from 'react'
import { useDirection } from '#web/ui/direction.ts'

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
  const [viewport, embla] = useEmblaCarousel({
    direction,
    startIndex: slide,
    align: 'start',
    containScroll: false,
    breakpoints: { '(prefers-reduced-motion: reduce)': { duration: 0 } },
  })

  const onSelect = useEffectEvent((carousel: Embla) => onSlide(carousel.selectedScrollSnap()))
  useEffect(() => {
    if (!embla) return
    embla.on('select', onSelect).on('init', drift).on('reInit', drift).on('scroll', drift)
    drift(embla)
    return () => void embla.off('select', onSelect).off('init', drift).off('reInit', drift).off('scroll', drift)
  }, [embla])

  function go(to: number): void {
    embla?.scrollTo(Math.max(0, Math.min(count - 1, to)))
  }
  useKeys({ count, slide, go, forward: direction === 'rtl' ? -1 : 1 })
  return { viewport, go }
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
