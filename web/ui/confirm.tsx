import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type ConfirmProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Read to a screen reader under the title. */
  description: string
  /** What the yes does, as a person would say it. */
  yes: string
  no: string
  /** The yes takes something away. */
  danger?: boolean
  /** The id of what the yes is about, which is read with it. */
  about?: string
  busy?: boolean
  /** Why it was not done. */
  error?: ReactNode
  onYes: () => void
  children: ReactNode
}

/** Asks once more before something is done. While it is being done there is no way back. */
export function Confirm(props: ConfirmProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    yes,
    no,
    danger = false,
    about,
    busy = false,
    error,
    onYes,
    children,
  } = props
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!busy) onOpenChange(next)
      }}
      title={title}
      description={description}
      footer={
        <div className="flex flex-col gap-2">
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} aria-describedby={about} onClick={onYes}>
            {yes}
          </Button>
          <Button variant="secondary" disabled={busy} onClick={() => onOpenChange(false)}>
            {no}
          </Button>
        </div>
      }
    >
      <div className="space-y-3 text-pretty text-ink-soft">{children}</div>
      {error && (
        <p role="alert" className="mt-4 rounded-control bg-danger-subtle px-4 py-3 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </Sheet>
  )
}
