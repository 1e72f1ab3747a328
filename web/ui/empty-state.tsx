import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Rings } from '#web/ui/rings.tsx'

type NoticeProps = {
  icon: LucideIcon
  title: string
  /** A picture instead of the icon, for a state that is empty without an error. */
  picture?: ReactNode
  /** True after a success: rings grow around the icon. */
  done?: boolean
  /** The heading level; `h1` if the notice is the whole page. */
  heading?: 'h1' | 'h2'
  children?: ReactNode
  /** The link or the button of the next step. */
  action?: ReactNode
}

/** An empty or failed state, with an explanation and the next step. */
export function EmptyState({
  icon: Icon,
  title,
  picture,
  done = false,
  heading: Heading = 'h2',
  children,
  action,
}: NoticeProps) {
  return (
    <div className="flex flex-col items-center px-5 py-10 text-center">
      {picture ?? (
        <div className="relative mb-5 grid size-28 place-items-center">
          <Rings grow={done} className="absolute inset-0 text-primary opacity-45" />
          <span className="relative grid size-13 place-items-center rounded-full bg-primary-subtle text-primary">
            <Icon aria-hidden className="size-6" strokeWidth={1.9} />
          </span>
        </div>
      )}
      <Heading
        tabIndex={Heading === 'h1' ? -1 : undefined}
        className="text-xl font-semibold tracking-tight text-balance"
      >
        {title}
      </Heading>
      {children && <div className="mt-2 max-w-[19rem] text-[0.9375rem] text-pretty text-ink-soft">{children}</div>}
      {action && <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
