import { Trans, useLingui } from '@lingui/react/macro'
import { Camera as CameraIcon, CameraOff, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { errorText } from '#web/i18n/error-text.ts'
import { type Camera, takePhoto, useCamera } from '#web/kyc/upload/camera.ts'
import { KYC_STEP_WORDS } from '#web/kyc/steps.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { BlobImage } from '#web/ui/blob-image.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** The ratio of width to height of the frame for the face, and of the photo. */
const SHAPE = 4 / 5

export type CameraSheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  onUse: (photo: Blob) => void
  /** Chooses a photo from a file if no camera is available. */
  onChooseFile: () => void
}

/**
 * Takes a selfie. The customer sees the camera's picture in a frame, takes the photo, and then uses it or takes another one.
 */
export function CameraSheet({ open, onOpenChange, onUse, onChooseFile }: CameraSheetProps) {
  const { t } = useLingui()
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const [photo, setPhoto] = useState<Blob | null>(null)
  const camera = useCamera(open && !photo)

  function change(next: boolean): void {
    setPhoto(null)
    onOpenChange(next)
  }

  async function capture(): Promise<void> {
    if (video) setPhoto(await takePhoto(video, SHAPE))
  }

  return (
    <Sheet
      open={open}
      onOpenChange={change}
      title={t(KYC_STEP_WORDS.selfie.title)}
      description={t`Take a photo of yourself, then use it or take another.`}
      footer={
        photo ? (
          <div className="flex gap-2.5">
            <Button
              variant="secondary"
              className="flex-1 !px-3"
              icon={<RotateCcw aria-hidden className="size-5" strokeWidth={2} />}
              onClick={() => setPhoto(null)}
            >
              <Trans comment="A button that takes the photo again">Retake</Trans>
            </Button>
            <Button
              className="flex-1 !px-3"
              onClick={() => {
                onUse(photo)
                change(false)
              }}
            >
              <Trans>Use Photo</Trans>
            </Button>
          </div>
        ) : camera.state === 'unavailable' ? (
          <Button className="w-full" onClick={onChooseFile}>
            <Trans>Choose a Photo</Trans>
          </Button>
        ) : (
          <Button
            className="w-full"
            disabled={!video}
            icon={<CameraIcon aria-hidden className="size-5" strokeWidth={2} />}
            onClick={() => void capture()}
          >
            <Trans comment="A button that takes a photo">Capture</Trans>
          </Button>
        )
      }
    >
      <Frame onVideo={setVideo} camera={camera} photo={photo} />
    </Sheet>
  )
}

/** `onVideo` gets the element with the camera's picture, and null when it is removed. */
type OnVideo = { onVideo: (video: HTMLVideoElement | null) => void }

function Live({ stream, onVideo }: OnVideo & { stream: MediaStream }) {
  const { t } = useLingui()
  const element = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (element.current) element.current.srcObject = stream
    return () => onVideo(null)
  }, [stream, onVideo])
  return (
    <video
      ref={element}
      autoPlay
      muted
      playsInline
      aria-label={t`Camera view`}
      className={MIRRORED}
      onLoadedData={(event) => onVideo(event.currentTarget)}
    />
  )
}

/** The visible picture is mirrored, as people know their own face. The saved photo is not mirrored. */
const MIRRORED = 'size-full -scale-x-100 object-cover'

function Frame({ onVideo, camera, photo }: OnVideo & { camera: Camera; photo: Blob | null }) {
  const { t } = useLingui()
  const unavailable = !photo && camera.state === 'unavailable'
  return (
    <div className="flex flex-col items-center gap-4 py-2">
      <div
        className={cx(
          'grid aspect-4/5 h-[min(20rem,46dvh)] place-items-center overflow-hidden rounded-[50%] bg-muted text-ink-soft ring-4 ring-offset-4 ring-offset-canvas',
          unavailable ? 'ring-line' : 'ring-primary',
        )}
      >
        {photo ? (
          <BlobImage blob={photo} alt={t`Your photo`} className={MIRRORED} />
        ) : camera.state === 'live' ? (
          <Live stream={camera.stream} onVideo={onVideo} />
        ) : unavailable ? (
          <CameraOff aria-hidden className="size-10" strokeWidth={1.6} />
        ) : (
          <Spinner className="size-7" />
        )}
      </div>
      <p role="status" className="min-h-11 max-w-[19rem] text-center text-[0.9375rem] text-pretty text-ink-soft">
        {photo
          ? t`Is your whole face in focus and well lit?`
          : unavailable
            ? errorText('camera_unavailable')
            : camera.state === 'live'
              ? t(KYC_STEP_WORDS.selfie.tip)
              : t`Please allow access to the camera.`}
      </p>
    </div>
  )
}
