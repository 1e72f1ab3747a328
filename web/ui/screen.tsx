import { useLingui } from '@lingui/react/macro'
import { ArrowLeft, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useBack } from '#web/lib/back.ts'
import { useObservable } from '#web/lib/observable.ts'
import { unreadCount, unreadText } from '#web/lib/unread-count.ts'
import { cx } from '#web/ui/cx.ts'
import { IconLink } from '#web/ui/icon-button.tsx'
import { type Pane, usePane } from '#web/ui/pane.ts'

export type ScreenProps = {
  /** The title of the browser tab and of the screen. */
  title: string
  /** The parent screen, which Back opens if there is no previous screen; missing if there is no back arrow. */
  back?: string
  /** Controls at the end of the header. */
  actions?: ReactNode
  /** Replaces the header. The screen's own h1 must then be in `header` or in `children`. */
  header?: ReactNode
  className?: string
  children: ReactNode
}

/**
 * A screen with its title, its header with the back arrow, and one column. In a pane, the header stays visible, and a screen
 * beside the current one is a region of the page.
 */
export function Screen({ title, back, actions, header, className, children }: ScreenProps) {
  const pane = usePane()
  const count = useObservable(unreadCount)
  const isCurrent = pane.part === 'column' || pane.isCurrent
  // A list stays mounted when its details open and become the main part; only its role changes.
  const Body = isCurrent && pane.part !== 'list' ? 'main' : 'div'
  return (
    <div
      data-screen={isCurrent ? 'current' : 'beside'}
      {...(!isCurrent && { role: 'region', 'aria-label': title })}
      className="flex flex-1 animate-screen-in flex-col"
    >
      {isCurrent && <title>{`${count > 0 ? `(${unreadText(count)}) ` : ''}${title} · Alder`}</title>}
      {header ?? <Header title={title} back={back} actions={actions} pane={pane} />}
      <Body
        role={isCurrent && pane.part === 'list' ? 'main' : undefined}
        className={cx('flex flex-1 flex-col gap-5 px-4 pt-2 pb-10', className)}
      >
        {children}
      </Body>
    </div>
  )
}

type HeaderProps = { title: string; back: string | undefined; actions: ReactNode; pane: Pane }

function Header({ title, back, actions, pane }: HeaderProps) {
  const { t } = useLingui()
  const Bar = pane.part === 'column' ? 'header' : 'div'
  // A screen in the second pane needs no back arrow, because its parent is beside it.
  const backTo = pane.part === 'detail' ? undefined : back
  return (
    <Bar
      role={pane.part !== 'column' && pane.isCurrent ? 'banner' : undefined}
      className={cx(
        'flex min-h-16 items-center gap-1 px-2',
        pane.part === 'column' ? 'pt-2 lg:pt-6' : 'sticky top-0 z-10 bg-canvas pt-6',
      )}
    >
      {backTo && <BackLink to={backTo} />}
      <h1
        tabIndex={-1}
        className={cx(
          'line-clamp-3 min-w-0 flex-1 text-[min(1.25rem,10vw)] leading-tight rtl:leading-normal font-semibold tracking-tight',
          !backTo && 'ps-3',
        )}
      >
        {title}
      </h1>
      {actions}
      {pane.part === 'detail' && pane.close !== null && (
        <IconLink
          icon={X}
          label={t({ message: 'Close', comment: 'Closes the details beside a list' })}
          to={pane.close}
          preventScrollReset
        />
      )}
    </Bar>
  )
}

/** The back arrow, which leads to the previous screen, or to the parent screen. */
export function BackLink({ to }: { to: string }) {
  const { t } = useLingui()
  const label = t({ message: 'Back', comment: 'Opens the previous screen' })
  return <IconLink icon={ArrowLeft} directed label={label} {...useBack(to)} />
}

type SectionProps = { title: string; action?: ReactNode; children: ReactNode; className?: string }

/** A part of a screen with a title. */
export function Section({ title, action, children, className }: SectionProps) {
  return (
    <section className={cx('titled', className)}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 px-1">
        <h2 className="min-w-0 text-[1.0625rem] font-semibold tracking-tight break-words">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cx('overflow-hidden rounded-card border border-line bg-surface shadow-card', className)}>
      {children}
    </div>
  )
}
