import { useLingui } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { type PosterName, Poster } from '#web/ui/art/poster.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useBreakpoint } from '#web/ui/breakpoint.ts'
import { BackLink, Screen } from '#web/ui/screen.tsx'

type AuthLayoutProps = {
  /** The title of the browser tab. */
  title: string
  heading: string
  /**
   * The picture. On a phone with space for it, the picture is above the heading, where other forms show the logo. On wide
   * screens, it is beside the form.
   */
  picture?: PosterName
  /** Whether the picture is shown only beside the form. On a phone the fields need the space. */
  onlyBeside?: boolean
  intro?: ReactNode
  /** The path that Back opens, or a function that runs on Back. */
  back?: string | (() => void)
  children: ReactNode
}

/** The layout of sign-in, sign-up and similar screens: logo, heading and one form. */
export function AuthLayout({ title, heading, picture, onlyBeside = false, intro, back, children }: AuthLayoutProps) {
  const { t } = useLingui()
  const isWide = useBreakpoint() !== 'column'
  const label = t({ message: 'Back', comment: 'Opens the previous screen' })
  return (
    <Screen
      title={title}
      header={
        <header className="relative lg:mt-6">
          <div className="flex min-h-16 items-center px-2 pt-2">
            {typeof back === 'string' && <BackLink to={back} />}
            {typeof back === 'function' && <IconButton icon={ArrowLeft} directed label={label} onClick={back} />}
          </div>
          <div className="px-4 pt-1 pb-4">
            {picture && (isWide || !onlyBeside) ? (
              <Poster
                of={picture}
                className="rounded-[1.75rem] max-lg:mb-5 max-lg:h-[clamp(5rem,100dvh-44.5rem,15rem)] lg:absolute lg:start-[calc(100%+2rem)] lg:top-0 lg:h-[calc(100dvh-3rem)] lg:w-[calc((100vw-26.875rem)/2-4rem)]"
              />
            ) : (
              <img src="/icon.svg" alt="" width={52} height={52} className="mb-5 lg:hidden" />
            )}
            <h1 tabIndex={-1} className="text-[1.75rem] leading-tight font-semibold tracking-[-0.025em] text-balance">
              {heading}
            </h1>
            {intro && <p className="mt-2 text-pretty text-ink-soft">{intro}</p>}
          </div>
        </header>
      }
    >
      {children}
    </Screen>
  )
}
