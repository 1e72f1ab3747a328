import { useEffect, useState } from 'react'

export type Camera = { state: 'asking' } | { state: 'live'; stream: MediaStream } | { state: 'unavailable' }

const ASKING: Camera = { state: 'asking' }

/** Wide enough for a face to be told from another; more only makes the upload longer. */
const WIDTH = { ideal: 1280 }

/** How a photo is kept: JPEG at a quality at which no blocks show. */
const JPEG_QUALITY = 0.92

function stop(stream: MediaStream | null): void {
  stream?.getTracks().forEach((track) => track.stop())
}

/** The camera that looks at the person, for as long as `on`; its light goes out the moment it is not. */
export function useCamera(on: boolean): Camera {
  const [camera, setCamera] = useState<Camera>(ASKING)
  useEffect(() => {
    if (!on) return
    let stream: MediaStream | null = null
    let over = false
    const unavailable = (): void => setCamera({ state: 'unavailable' })

    async function start(): Promise<void> {
      // Without https there is no `mediaDevices` at all, whatever the types say.
      const opened = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user', width: WIDTH } })
      if (over) return stop(opened)
      stream = opened
      stream.getVideoTracks()[0]?.addEventListener('ended', unavailable)
      setCamera({ state: 'live', stream })
    }
    start().catch(() => over || unavailable())
    return () => {
      over = true
      stop(stream)
      setCamera(ASKING)
    }
  }, [on])
  return camera
}

/** What `video` shows at this moment as a JPEG, cut to the shape it is shown in (width to height); null where it shows nothing yet. */
export async function takePhoto(video: HTMLVideoElement, shape: number): Promise<Blob | null> {
  const { videoWidth, videoHeight } = video
  const width = Math.min(videoWidth, Math.round(videoHeight * shape))
  const height = Math.min(videoHeight, Math.round(videoWidth / shape))
  if (width === 0 || height === 0) return null
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const left = (videoWidth - width) / 2
  const top = (videoHeight - height) / 2
  canvas.getContext('2d')?.drawImage(video, left, top, width, height, 0, 0, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
}
