// The files that the host has sent.

/** The sizes of files as sent, by URL; `null` for missing ones. */
export class SentFiles {
  sizes = new Map();

  /** The browser's fetch, which also notes the sizes. */
  fetch = async (url, init) => {
    const response = await fetch(url, init),
      isThere = response.ok && response.status !== 204;
    if (isThere) this.sizes.set(url, Number(response.headers.get("content-length")) || (await response.clone().arrayBuffer()).byteLength);
    else if (response.status < 500) this.sizes.set(url, null);
    return response;
  };
}
