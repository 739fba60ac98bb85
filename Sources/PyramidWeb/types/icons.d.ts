export class Icons {
    /** @param {() => void} changed called when a picture is loaded */
    constructor(changed: () => void);
    /**
     * What differs for a marker with an icon, as it can be drawn now.
     * @param {Partial<Look>} look with an icon
     * @returns {Partial<Look>} without one while it isn't loaded
     */
    look({ icon, iconSize, iconAnchor, radius }: Partial<Look>): Partial<Look>;
    #private;
}
export type Look = import("./appearance.js").Look;
export type Picture = import("./appearance.js").Picture;
