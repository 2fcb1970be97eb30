#!/usr/bin/env python3
"""Draws a trajectory of talus: height and speed of every body, and the energy of all, over time.

usage: plot_trajectory.py TRAJECTORY.json|.jsonl|.csv PLOT.png|.svg

From .json the energy is whole (moving, turning, height); rows (.jsonl, .csv) know no inertia, so that
there it is that of moving and height only, under 9.81 m/s2.
"""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

VECTORS = {
    "position_m": ["x_m", "y_m", "z_m"],
    "rotation_xyzw": ["qx", "qy", "qz", "qw"],
    "linear_velocity_m_s": ["vx_m_s", "vy_m_s", "vz_m_s"],
    "angular_velocity_rad_s": ["wx_rad_s", "wy_rad_s", "wz_rad_s"],
}
MOST_NAMES = 12  # in the legend


def body_rows(body):
    """The rows of one body of a .json document, in the columns of the .csv."""
    rows = {"frame": body["frame"], "time_s": body["t_s"], "asleep": body["asleep"]}
    for key, columns in VECTORS.items():
        numbers = np.asarray(body[key], dtype=float).reshape(-1, len(columns))
        rows.update(zip(columns, numbers.T))
    rows = pd.DataFrame(rows)
    rows["body"], rows["name"], rows["mass_kg"] = body["id"], body["name"], body["mass_kg"]
    rows["turning_j"] = turning_energy(rows, body.get("inertia_kg_m2"))
    return rows


def turning_energy(rows, inertia):
    """Energy of rotation, from the tensor in the body's frame."""
    if inertia is None:
        return np.zeros(len(rows))
    xx, yy, zz, xy, xz, yz = inertia
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    x, y, z, w = (rows[c].to_numpy() for c in VECTORS["rotation_xyzw"])
    spin = rows[VECTORS["angular_velocity_rad_s"]].to_numpy()
    # The spin seen from the body: turned by the inverse of its rotation.
    axis = -np.stack([x, y, z], axis=1)
    t = 2 * np.cross(axis, spin)
    own = spin + w[:, None] * t + np.cross(axis, t)
    return 0.5 * np.einsum("ni,ij,nj->n", own, tensor, own)


def read(path):
    """A row a body and frame, and the gravity."""
    if path.suffix == ".csv":
        rows = pd.read_csv(path)
    elif path.suffix == ".jsonl":
        rows = pd.read_json(path, lines=True)
    elif path.suffix == ".json":
        document = json.loads(path.read_text())
        parts = [body_rows(body) for body in document["bodies"]]
        rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
        return rows, document.get("gravity_m_s2", 9.81)
    else:
        sys.exit(f"{path}: a trajectory ends in .json, .jsonl or .csv")
    rows["turning_j"] = 0.0
    return rows, 9.81


def energy(rows, gravity):
    """Energies of all bodies in each frame; who sleeps stays where it is."""
    rows = rows.copy()
    speed2 = (rows[VECTORS["linear_velocity_m_s"]] ** 2).sum(axis=1)
    rows["moving_j"] = 0.5 * rows["mass_kg"] * speed2
    rows["height_j"] = rows["mass_kg"] * gravity * rows["y_m"]
    times = np.sort(rows["time_s"].unique())
    total = pd.DataFrame(0.0, index=times, columns=["moving_j", "turning_j", "height_j"])
    for _, track in rows.groupby("body"):
        own = track.set_index("time_s")[list(total.columns) + ["asleep"]].reindex(times)
        asleep = own["asleep"].ffill().fillna(False).astype(bool)
        held = own[total.columns].ffill().where(own["asleep"].notna() | asleep)
        total = total.add(held.fillna(0.0))
    return total


def draw(rows, gravity, title, path):
    figure, (height, speed, joules) = plt.subplots(3, sharex=True, figsize=(8, 8), layout="tight")
    for number, (_, track) in enumerate(rows.groupby("body")):
        name = track["name"].iloc[0] if number < MOST_NAMES else None
        height.plot(track["time_s"], track["y_m"], label=name, linewidth=1)
        v = np.sqrt((track[VECTORS["linear_velocity_m_s"]] ** 2).sum(axis=1))
        speed.plot(track["time_s"], v, linewidth=1)
    total = energy(rows, gravity)
    for column, name in [("height_j", "height"), ("moving_j", "moving"), ("turning_j", "turning")]:
        joules.plot(total.index, total[column] / 1000, label=name, linewidth=1)
    joules.plot(total.index, total.sum(axis=1) / 1000, "k", label="all", linewidth=1)
    height.set(title=title, ylabel="height of the centre, m")
    speed.set(ylabel="speed, m/s")
    joules.set(ylabel="energy, kJ", xlabel="time, s")
    for axes in (height, joules):
        axes.legend(fontsize="small")
    for axes in (height, speed, joules):
        axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main():
    if len(sys.argv) != 3 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    source, target = (pathlib.Path(a) for a in sys.argv[1:])
    rows, gravity = read(source)
    if rows.empty:
        sys.exit(f"{source}: nothing moves in it")
    # The same drawing from the same file, byte for byte.
    matplotlib.rcParams.update({"svg.hashsalt": "talus", "svg.fonttype": "none"})
    draw(rows, gravity, source.stem, target)


if __name__ == "__main__":
    main()
