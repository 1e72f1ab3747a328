import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useCarousel } from '#web/onboarding/carousel.ts'
import { Controls } from '#web/onboarding/controls.tsx'
import { SLIDES, type Slide } from '#web/onboarding/slides.ts'
import { cx } from '#web/ui/cx.ts'
import '#web/ui/art/poster.css'
import '#web/onboarding/onboarding.css'

/** The first screen: four slides about the bank, and the two ways to start. */
export function OnboardingScreen() {
  const { t } = useLingui()
  const { slide, moved, show } = useSlide()
  const { viewport, go } = useCarousel({ count: SLIDES.length, slide, onSlide: show })
  const current = SLIDES[slide]
  return (
    <main className="flex flex-1 animate-screen-in flex-col sm:mx-[calc((26.875rem-min(62rem,100vw-4rem))/2)] sm:justify-center">
      <title>{`${t`Welcome`} · Alder`}</title>
      <section
        aria-roledescription={t({
          message: 'carousel',
          comment: "A screen reader's word for a series of slides",
        })}
        aria-label={t`About Alder`}
        className="onboarding flex flex-1 flex-col sm:relative sm:max-h-[41rem] sm:overflow-hidden sm:rounded-[2.25rem] sm:border sm:border-line sm:bg-surface sm:shadow-card"
      >
        {/* The tab index lets keyboard users reach the carousel, although its keys work on the whole screen. */}
        <div
          ref={viewport}
          role="group"
          aria-label={t`Slides`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="flex flex-1 cursor-grab overflow-hidden -outline-offset-4 select-none focus-visible:rounded-[2.25rem] active:cursor-grabbing"
        >
          <div className="flex w-full touch-pan-y touch-pinch-zoom">
            {SLIDES.map((item, index) => (
              <SlideView key={item.id} slide={item} number={index + 1} current={index === slide} />
            ))}
          </div>
        </div>
        <Controls slide={slide} go={go} />
        <p role="status" className="sr-only">
          {moved && current && <SlideWords slide={current} />}
        </p>
      </section>
    </main>
  )
}

type SlideViewProps = { slide: Slide; number: number; current: boolean }

/** Shows the text of a slide. */
function SlideWords({ slide }: { slide: Slide }) {
  const { t } = useLingui()
  const title = t(slide.title)
  const text = t(slide.text)
  return t({
    message: `${title}. ${text}`,
    comment: 'A screen reader reads this when the slide changes. The title has no period',
  })
}

/** Shows a slide. Only the visible slide is exposed to screen readers and contains the screen's heading. */
function SlideView({ slide: { title, text, art, poster }, number, current }: SlideViewProps) {
  const { t } = useLingui()
  const count = SLIDES.length
  const Heading = current ? 'h1' : 'p'
  return (
    <div
      role="group"
      aria-roledescription={t({ message: 'slide', comment: "A screen reader's word for one slide of a carousel" })}
      aria-label={t({ message: `${number} of ${count}`, comment: 'The number of a slide. Example: 2 of 4' })}
      aria-hidden={!current || undefined}
      data-current={current}
      className="flex w-full shrink-0 flex-col sm:flex-row"
    >
      <div
        className={cx(
          'poster relative isolate m-3 mb-0 min-h-44 flex-1 overflow-hidden rounded-[1.75rem] sm:mb-3',
          poster,
        )}
        dangerouslySetInnerHTML={{ __html: art }}
      />
      <div className="words @container px-6 pt-6 pb-2 sm:flex sm:w-1/2 sm:flex-col sm:justify-center sm:px-12 sm:pb-44">
        <Heading
          {...(current && { tabIndex: -1 })}
          className="text-[min(1.75rem,14cqi)] leading-tight font-semibold tracking-[-0.025em] text-balance lg:text-[min(2.75rem,14cqi)] rtl:leading-normal"
        >
          {t(title)}
        </Heading>
        <p className="mt-2 min-h-[4.5em] text-[1.0625rem] text-pretty text-ink-soft lg:mt-4 lg:text-[1.1875rem]">
          {t(text)}
        </p>
      </div>
    </div>
  )
}

/** Returns the current slide. The browser's history stores it, so that Back and a reload restore it. */
function useSlide() {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  const [view, setView] = useState({ slide: keptSlide(state), moved: false })

  function show(slide: number) {
    if (slide === view.slide) return
    setView({ slide, moved: true })
    void navigate({ pathname, search, hash }, { replace: true, state: { slide }, preventScrollReset: true })
  }
  return { ...view, show }
}

function keptSlide(state: unknown): number {
  const storedSlide = typeof state === 'object' && state !== null && 'slide' in state ? Number(state.slide) : 0
  return SLIDES[storedSlide] ? storedSlide : 0
}
