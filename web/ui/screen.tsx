import { useLingui } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'
import { IconLink } from '#web/ui/icon-button.tsx'

type ScreenProps = {
  /** Names the browser's tab and the screen. */
  title: string
  /** Where Back goes; left out where there is no way back. */
  back?: string
  /** Controls at the end of the header. */
  actions?: ReactNode
  /** Replaces the header, where a screen greets in its own way; it must hold the h1. */
  header?: ReactNode
  className?: string
  children: ReactNode
}

/** One screen: its title, its header with the way back, and one column. */
export function Screen({ title, back, actions, header, className, children }: ScreenProps) {
  const { t } = useLingui()
  return (
    <div className="flex flex-1 animate-screen-in flex-col">
      <title>{`${title} · Alder`}</title>
      {header ?? (
        <header className="flex min-h-16 items-center gap-1 px-2 pt-2">
          {back && (
            <IconLink
              icon={ArrowLeft}
              directed
              label={t({ message: 'Back', comment: 'Goes to the screen above this one' })}
              to={back}
            />
          )}
          <h1
            tabIndex={-1}
            className={cx(
              'line-clamp-3 min-w-0 flex-1 text-[min(1.25rem,10vw)] leading-tight font-semibold tracking-tight',
              !back && 'ps-3',
            )}
          >
            {title}
          </h1>
          {actions}
        </header>
      )}
      <main className={cx('flex flex-1 flex-col gap-5 px-4 pt-2 pb-10', className)}>{children}</main>
    </div>
  )
}

type SectionProps = { title: string; action?: ReactNode; children: ReactNode; className?: string }

/** A titled part of a screen. */
export function Section({ title, action, children, className }: SectionProps) {
  return (
    <section className={className}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 px-1">
        <h2 className="text-[1.0625rem] font-semibold tracking-tight">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** A surface that groups related content. */
export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cx('overflow-hidden rounded-card border border-line bg-surface shadow-card', className)}>
      {children}
    </div>
  )
}
